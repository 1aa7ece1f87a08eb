import { signInMessages } from './messages.ts'
import { readCredentials, type Credentials } from './session-store.ts'

export type AuthAnswer<Value> = { ok: true; value: Value } | { ok: false; errors: readonly string[] }

const BASE = '/api/v5/auth'

/** POST /auth/sign_in; the credentials come in the answer's headers. */
export async function signIn(email: string, password: string): Promise<AuthAnswer<Credentials>> {
  const reply = await send('/sign_in', 'POST', { email, password })
  if (!reply?.ok) return { ok: false, errors: await errorsOf(reply) }
  const credentials = readCredentials((name) => reply.headers.get(name))
  return credentials ? { ok: true, value: credentials } : { ok: false, errors: [signInMessages.unreadable] }
}

/** POST /auth/password: asks for the mail with the link. The answer is the same whether the account exists or not. */
export async function requestReset(email: string): Promise<AuthAnswer<null>> {
  return plainAnswer(await send('/password', 'POST', { email, redirect_url: `${location.origin}/reset_password` }))
}

/** PUT /auth/password with the headers of the mailed link. */
export async function setPassword(credentials: Credentials, password: string, confirmation: string): Promise<AuthAnswer<null>> {
  const body = { password, password_confirmation: confirmation, redirect_url: `${location.origin}/login` }
  return plainAnswer(await send('/password', 'PUT', body, credentials))
}

async function send(path: string, method: 'POST' | 'PUT', body: object, credentials?: Credentials): Promise<Response | null> {
  try {
    return await fetch(BASE + path, { method, headers: { 'content-type': 'application/json', ...credentials }, body: JSON.stringify(body) })
  } catch {
    return null
  }
}

/** A reply counts when its status is good and it does not say `success: false`. */
async function plainAnswer(reply: Response | null): Promise<AuthAnswer<null>> {
  const body = await bodyOf(reply?.clone() ?? null)
  const refused = isRecord(body) && body['success'] === false
  return reply?.ok && !refused ? { ok: true, value: null } : { ok: false, errors: await errorsOf(reply) }
}

async function errorsOf(reply: Response | null): Promise<readonly string[]> {
  const errors = errorTexts(await bodyOf(reply))
  if (errors.length > 0) return errors
  return [reply?.statusText || signInMessages.unreadable]
}

async function bodyOf(reply: Response | null): Promise<unknown> {
  try {
    return await reply?.json()
  } catch {
    return null
  }
}

/** The server's messages: `errors.full_messages`, `errors` as a list, or `message`. */
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
