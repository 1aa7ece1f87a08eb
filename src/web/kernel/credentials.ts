/**
 * The three credentials of the signed-in person, in local storage as the specification says, shared by all tabs of the browser.
 * A copy in memory would go stale as soon as another tab signs in or out, so they are read where they are used.
 */

export const credentialNames = ['access-token', 'client', 'uid'] as const
export type Credentials = Readonly<Record<(typeof credentialNames)[number], string>>

/** Where the sign-in page finds the address to come back to. */
export const RETURN_TO = 'return_to'

/** The stored credentials, or null when one of them is missing. */
export function readCredentials(): Credentials | null {
  const [token, client, uid] = credentialNames.map((name) => localStorage.getItem(name) ?? '')
  return token && client && uid ? { 'access-token': token, client, uid } : null
}

/**
 * Takes renewed credentials from an answer's headers: a new token, and a new uid where the person has changed their own email. An answer
 * that comes after signing out, or after another person signed in, must not bring the old ones back: each sign-in has a `client` of its own.
 * `sentUid` is what the request went with: an answer that repeats it says nothing new, and may come after the one that changed it.
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

/** Runs before the page goes to the sign-in page, whatever sends it there: for what must not be lost. Answers how to give up. */
export function beforeSignIn(run: () => void): () => void {
  leaving.add(run)
  return () => void leaving.delete(run)
}

/** Forgets who was signed in and goes to the sign-in page, which leads back to `returnTo` afterwards. */
export function leaveForSignIn(returnTo: string | null): void {
  for (const run of leaving) run()
  clearCredentials()
  if (location.pathname === '/login') return
  if (returnTo === null) sessionStorage.removeItem(RETURN_TO)
  else sessionStorage.setItem(RETURN_TO, returnTo)
  location.assign('/login')
}

/** The address shown now, to come back to. */
export function hereAddress(): string {
  return `${location.pathname}${location.search}${location.hash}`
}
