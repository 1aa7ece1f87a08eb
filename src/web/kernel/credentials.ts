/**
 * The three credentials of the signed-in user, in local storage as specified, shared by all tabs of the browser. A copy in memory would be
 * outdated as soon as another tab signs in or out, so they are read where they are used.
 */

export const credentialNames = ['access-token', 'client', 'uid'] as const
export type Credentials = Readonly<Record<(typeof credentialNames)[number], string>>

/** Storage key of the address to which the sign-in page returns. */
export const RETURN_TO = 'return_to'

/** Returns the stored credentials, or null if one of them is missing. */
export function readCredentials(): Credentials | null {
  const [token, client, uid] = credentialNames.map((name) => localStorage.getItem(name) ?? '')
  return token && client && uid ? { 'access-token': token, client, uid } : null
}

/**
 * Stores renewed credentials from a response's headers: a new token, and a new uid if users changed their own email. A response that arrives
 * after a sign-out, or after another user signed in, must not restore the old ones; each sign-in has its own `client`. `sentUid` is the uid of
 * the request: a response that repeats it contains no change, and may arrive after the response that changed it.
 */
export function takeRenewed(headers: Headers, sentUid: string | undefined): void {
  const stored = readCredentials()
  const token = headers.get('access-token')
  const uid = headers.get('uid')
  if (!stored || !token || !uid || headers.get('client') !== stored.client) return
  localStorage.setItem('access-token', token)
  if (uid !== sentUid) localStorage.setItem('uid', uid)
}

export function clearCredentials(): void {
  for (const name of credentialNames) localStorage.removeItem(name)
}

const leaving = new Set<() => void>()

/** Runs `run` before any redirect to the sign-in page, to keep what must not be lost. Returns a function that unsubscribes. */
export function beforeSignIn(run: () => void): () => void {
  leaving.add(run)
  return () => void leaving.delete(run)
}

/** Clears the credentials and goes to the sign-in page, which returns to `returnTo` afterwards. */
export function leaveForSignIn(returnTo: string | null): void {
  for (const run of leaving) run()
  clearCredentials()
  if (location.pathname === '/login') return
  if (returnTo === null) sessionStorage.removeItem(RETURN_TO)
  else sessionStorage.setItem(RETURN_TO, returnTo)
  location.assign('/login')
}

/** Returns the current address, to return to later. */
export function hereAddress(): string {
  return `${location.pathname}${location.search}${location.hash}`
}
