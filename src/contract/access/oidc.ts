/** Sign-in by an identity provider (OpenID Connect), if the operator has configured one. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'

const path = '/auth/oidc'

export const oidcCalls = {
  options: call({
    name: 'oidc.options',
    method: 'GET',
    path,
    may: 'public',
    summary: 'What the button of the provider says; null where none is set up. And whether passwords sign in beside it',
    reply: z.object({ label: z.string().nullable(), password: z.boolean() }),
  }),
  start: call({
    name: 'oidc.start',
    method: 'GET',
    path: `${path}/start`,
    // It writes in its own transaction, as do the two calls below.
    effect: 'read',
    may: 'public',
    summary: 'Leads the browser to the provider',
    replyKind: 'stream',
  }),
  callback: call({
    name: 'oidc.callback',
    method: 'GET',
    path: `${path}/callback`,
    effect: 'read',
    may: 'public',
    summary: 'Where the provider leads the browser back to; leads on to the sign-in page, with a one-time code or a problem',
    // Providers add their own parameters.
    query: z.looseObject({}),
    replyKind: 'stream',
  }),
  session: call({
    name: 'oidc.session',
    method: 'POST',
    path: `${path}/session`,
    effect: 'read',
    may: 'public',
    summary: 'Gives the three credentials for the one-time code, once, within a minute, to the browser that began',
    body: z.strictObject({ code: z.string({ error: 'is required' }).min(1, 'is required').max(200) }),
    reply: z.object({ success: z.boolean(), message: z.string(), data: z.object({ id: z.int(), email: z.string() }) }),
  }),
}
