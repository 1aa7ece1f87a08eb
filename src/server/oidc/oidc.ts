/** Sign-in by an identity provider: authorization code with PKCE, state and nonce. Off unless the operator has configured it. */
import { oidcCodeParam, oidcProblemParam, type OidcProblem } from '#contract/access/oidc-return.ts'
import { oidcCalls } from '#contract/access/oidc.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AuthorizationResponseError, ClientError } from 'openid-client'
import { openSignIn, type Sessions } from '../access/access.ts'
import type { Config } from '../config.ts'
import type { Context } from '../kernel/context.ts'
import { answered, handle, type Handler } from '../kernel/handler.ts'
import { OutsideProblem } from '../kernel/http/outside-request.ts'
import { notFound, signedOut } from '../kernel/problem.ts'
import { beginAttempt, endCookie, grantCode, returnedAttempt, takeCode } from './oidc-attempts.ts'
import { activeUser, userOf } from './oidc-users.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'

const callbackPath = '/api/v5/auth/oidc/callback'

export function oidcHandlers(
  sessions: Sessions,
  { oidc, production, passwordSignIn }: Pick<Config, 'oidc' | 'production' | 'passwordSignIn'>,
): readonly Handler[] {
  const client = oidc ? createProviderClient(oidc, production) : null
  const asked = (): ProviderClient => {
    if (!client) throw notFound()
    return client
  }
  return [
    handle(oidcCalls.options, () => Promise.resolve({ label: oidc?.label ?? null, password: passwordSignIn })),
    handle(oidcCalls.start, async (context, { http }) => {
      const provider = asked()
      const { database } = context.machinery
      const challenge = await database.db.transaction().execute((tx) => beginAttempt(tx, http.reply, isSecure(context)))
      const url = await provider
        .signInUrl(challenge, callbackOf(context))
        .catch((error: unknown) => problemPage(context, problemOf(error), error))
      return leadTo(http.reply, String(url))
    }),
    handle(oidcCalls.callback, async (context, { http }) => leadTo(http.reply, await comeBack(context, asked(), http.request))),
    handle(oidcCalls.session, async (context, { body, http }) => {
      asked()
      endCookie(http.reply, isSecure(context))
      const user = await context.machinery.database.db.transaction().execute(async (tx) => {
        const id = await takeCode(tx, http.request, body.code)
        const found = id === null ? null : await activeUser(tx, id)
        if (!found) throw signedOut('This sign-in is over. Please sign in again.')
        await openSignIn(tx, sessions, found, http, { provider: { from: null, to: oidc?.issuer } })
        return found
      })
      return { success: true, message: 'Signed in', data: user }
    }),
  ]
}

/**
 * Handles the return from the provider.
 * @returns the address of the sign-in page, on success and on failure.
 */
async function comeBack(context: Context, provider: ProviderClient, request: FastifyRequest): Promise<string> {
  const returned = new URL(request.raw.url ?? '/', context.machinery.settings.publicUrl)
  const { db } = context.machinery.database
  const attempt = await returnedAttempt(db, request, returned.searchParams.get('state'))
  if (!attempt) return problemPage(context, 'expired')
  try {
    const exact = new URL(`${callbackOf(context)}${returned.search}`)
    const identity = await provider.identityOf(exact, attempt.challenge)
    return await db.transaction().execute(async (tx) => {
      const user = await userOf(tx, identity, context.ip)
      if (typeof user === 'string') return problemPage(context, user)
      return `/login#${oidcCodeParam}=${await grantCode(tx, attempt.id, user.id)}`
    })
  } catch (error) {
    return problemPage(context, problemOf(error), error)
  }
}

/** The log contains the kind of fault and no token: the library's messages describe the fault, not the sent values. */
function problemPage(context: Context, problem: OidcProblem, error?: unknown): string {
  const reason =
    error instanceof Error ? { fault: error.message, cause: error.cause instanceof Error ? error.cause.message : undefined } : {}
  if (problem !== 'cancelled') context.machinery.log.warn('a sign-in by the provider failed', { problem, ...reason })
  return `/login?${oidcProblemParam}=${problem}`
}

function problemOf(error: unknown): OidcProblem {
  if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'cancelled' : 'failed'
  const causes = [error, error instanceof Error ? error.cause : undefined]
  if (causes.some((one) => one instanceof OutsideProblem)) return 'unavailable'
  return error instanceof ClientError && error.code === 'OAUTH_TIMEOUT' ? 'unavailable' : 'failed'
}

function callbackOf({ machinery }: Context): string {
  return `${machinery.settings.publicUrl}${callbackPath}`
}

function isSecure({ machinery }: Context): boolean {
  return machinery.settings.publicUrl.startsWith('https:')
}

function leadTo(reply: FastifyReply, url: string): typeof answered {
  void reply.redirect(url, 302)
  return answered
}
