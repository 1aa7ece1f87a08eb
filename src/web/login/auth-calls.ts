import { signInMessages } from './messages.ts'
import { deviceMark, keepDeviceMark, readCredentials, type Credentials } from './session-store.ts'

/** `status` is 0 where no response came. */
export type AuthAnswer<Value> = { ok: true; value: Value } | { ok: false; errors: readonly string[]; status: number }

const BASE = '/api/v5/auth'

/** How the second step may be answered: `passkey` are the options for a browser; null where the person has no passkey. */
export interface CodeAsked {
  readonly challenge: string
  readonly app: boolean
  readonly passkey: unknown
}

/** The step that follows a right password: the sign-in, a code, or the setup of a second factor. */
export type Entered =
  | { readonly step: 'in'; readonly credentials: Credentials; readonly dueAt: string | undefined }
  | ({ readonly step: 'code' } & CodeAsked)
  | { readonly step: 'setup'; readonly challenge: string; readonly key: FactorKey }

/** POST /auth/sign_in; the credentials are in the response's headers, unless something is asked for before. */
export async function signIn(email: string, password: string): Promise<AuthAnswer<Entered>> {
  const reply = await send('/sign_in', 'POST', { email, password }, deviceMark())
  const body = await bodyOf(reply?.clone() ?? null)
  const asked = fieldOf(body, 'second_factor')
  const code = textAt(asked, 'challenge')
  if (code !== undefined)
    return {
      ok: true,
      value: { step: 'code', challenge: code, app: fieldOf(asked, 'app') !== false, passkey: fieldOf(asked, 'passkey') ?? null },
    }
  const setup = textAt(fieldOf(body, 'second_factor_setup'), 'challenge')
  if (setup !== undefined) {
    const begun = await beginSetup(setup)
    return begun.ok ? { ok: true, value: { step: 'setup', challenge: setup, key: begun.value } } : begun
  }
  const answer = await credentialsIn(reply)
  return answer.ok ? { ok: true, value: { step: 'in', credentials: answer.value, dueAt: textAt(body, 'second_factor_due_at') } } : answer
}

export function fieldOf(body: unknown, key: string): unknown {
  return isRecord(body) ? body[key] : undefined
}

export function textAt(body: unknown, key: string): string | undefined {
  const value = fieldOf(body, key)
  return typeof value === 'string' ? value : undefined
}

export interface FactorKey {
  readonly secret: string
  readonly uri: string
}

/** POST /auth/sign_in/second_factor_setup: the key of a second factor that must be set up. */
async function beginSetup(challenge: string): Promise<AuthAnswer<FactorKey>> {
  const reply = await send('/sign_in/second_factor_setup', 'POST', { challenge })
  const body = await bodyOf(reply?.clone() ?? null)
  const [secret, uri] = [textAt(body, 'secret'), textAt(body, 'uri')]
  if (reply?.ok && secret !== undefined && uri !== undefined) return { ok: true, value: { secret, uri } }
  return { ok: false, errors: await errorsOf(reply), status: reply?.status ?? 0 }
}

/** …/confirmation: the first code of it signs in; the recovery codes come this once. */
export async function confirmSetup(
  challenge: string,
  code: string,
): Promise<AuthAnswer<{ credentials: Credentials; recoveryCodes: readonly string[] }>> {
  const reply = await send('/sign_in/second_factor_setup/confirmation', 'POST', { challenge, code }, deviceMark())
  const codes = fieldOf(await bodyOf(reply?.clone() ?? null), 'recovery_codes')
  const answer = await credentialsIn(reply)
  if (!answer.ok) return answer
  return { ok: true, value: { credentials: answer.value, recoveryCodes: Array.isArray(codes) ? codes.map(String) : [] } }
}

/** POST /auth/sign_in/second_factor: a code of the app, or a recovery code. */
export async function secondStep(challenge: string, code: string): Promise<AuthAnswer<Credentials>> {
  return credentialsIn(await send('/sign_in/second_factor', 'POST', { challenge, code }, deviceMark()))
}

export async function credentialsIn(reply: Response | null): Promise<AuthAnswer<Credentials>> {
  if (!reply?.ok) return { ok: false, errors: await errorsOf(reply), status: reply?.status ?? 0 }
  const credentials = readCredentials((name) => reply.headers.get(name))
  return credentials ? { ok: true, value: credentials } : { ok: false, errors: [signInMessages.unreadable], status: reply.status }
}

export interface Ways {
  /** The button label of the identity provider; null if none is configured, or the request failed. */
  readonly label: string | null
  /** Whether passwords sign in. */
  readonly password: boolean
}

export async function waysIn(): Promise<Ways> {
  const body = await bodyOf(await fetch(`${BASE}/oidc`).catch(() => null))
  return { label: textAt(body, 'label') ?? null, password: fieldOf(body, 'password') !== false }
}

/** POST /auth/oidc/session: exchanges the one-time code for the credentials. */
export async function exchangeCode(code: string): Promise<AuthAnswer<Credentials>> {
  return credentialsIn(await send('/oidc/session', 'POST', { code }, deviceMark()))
}

/** POST /auth/password: requests the mail with the link. The response is the same whether the account exists or not. */
export async function requestReset(email: string): Promise<AuthAnswer<null>> {
  return plainAnswer(await send('/password', 'POST', { email, redirect_url: '/reset_password' }))
}

/** PUT /auth/password with the headers from the mailed link. */
export async function setPassword(credentials: Credentials, password: string, confirmation: string): Promise<AuthAnswer<null>> {
  const body = { password, password_confirmation: confirmation, redirect_url: '/login' }
  return plainAnswer(await send('/password', 'PUT', body, credentials))
}

export async function send(
  path: string,
  method: 'POST' | 'PUT',
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | null> {
  try {
    const reply = await fetch(BASE + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    keepDeviceMark(reply)
    return reply
  } catch {
    return null
  }
}

/** A response is successful if its status is, and its body does not contain `success: false`. */
async function plainAnswer(reply: Response | null): Promise<AuthAnswer<null>> {
  const body = await bodyOf(reply?.clone() ?? null)
  const refused = isRecord(body) && body['success'] === false
  return reply?.ok && !refused ? { ok: true, value: null } : { ok: false, errors: await errorsOf(reply), status: reply?.status ?? 0 }
}

export async function errorsOf(reply: Response | null): Promise<readonly string[]> {
  const errors = errorTexts(await bodyOf(reply))
  if (errors.length > 0) return errors
  return [reply?.statusText || signInMessages.unreadable]
}

export async function bodyOf(reply: Response | null): Promise<unknown> {
  try {
    return await reply?.json()
  } catch {
    return null
  }
}

/** Returns the server's messages: `errors.full_messages`, `errors` as a list, or `message`. */
export function errorTexts(body: unknown): readonly string[] {
  if (!isRecord(body)) return []
  const errors = body['errors']
  const list = isRecord(errors) ? errors['full_messages'] : errors
  const texts = Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
  if (texts.length > 0) return texts
  const message = body['message']
  return typeof message === 'string' && message !== '' ? [message] : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
