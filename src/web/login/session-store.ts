/** The three headers of every call, stored in local storage under the same names. */
export const credentialNames = ['access-token', 'client', 'uid'] as const
export type Credentials = Record<(typeof credentialNames)[number], string>

const RETURN_KEY = 'return_to'
const NEWS_KEY = 'sign_in_news'
const DEVICE_KEY = 'device-mark'

/** Reads the three credentials with a getter; returns null if one is missing or empty. */
export function readCredentials(get: (name: string) => string | null): Credentials | null {
  const [token, client, uid] = credentialNames.map(get)
  return token && client && uid ? { 'access-token': token, client, uid } : null
}

export function storedCredentials(): Credentials | null {
  return readCredentials((name) => localStorage.getItem(name))
}

export function storeCredentials(credentials: Credentials): void {
  for (const name of credentialNames) localStorage.setItem(name, credentials[name])
}

export function clearCredentials(): void {
  for (const name of credentialNames) localStorage.removeItem(name)
}

let linkCredentials: Credentials | null | undefined

/**
 * Returns the credentials of the mailed link and removes them from the address at the first call, because they must not stay in the browser's
 * history.
 */
export function takeLinkCredentials(): Credentials | null {
  if (linkCredentials === undefined) {
    const query = new URLSearchParams(location.search)
    linkCredentials = readCredentials((name) => query.get(name))
    if (linkCredentials) history.replaceState(null, '', location.pathname)
  }
  return linkCredentials
}

/**
 * Returns the mark that this device got at its first sign-in, which exempts it from the delays caused by others guessing passwords. It outlives
 * the sign-in.
 */
export function deviceMark(): Record<string, string> {
  const mark = localStorage.getItem(DEVICE_KEY)
  return mark ? { [DEVICE_KEY]: mark } : {}
}

export function keepDeviceMark(reply: Response): void {
  const mark = reply.headers.get(DEVICE_KEY)
  if (mark) localStorage.setItem(DEVICE_KEY, mark)
}

/** Stores a message for the next sign-in page. */
export function keepNews(news: 'passwordReset'): void {
  sessionStorage.setItem(NEWS_KEY, news)
}

/** Whether the message was stored; returns true only once. */
export function takeNews(news: 'passwordReset'): boolean {
  const isThere = sessionStorage.getItem(NEWS_KEY) === news
  if (isThere) sessionStorage.removeItem(NEWS_KEY)
  return isThere
}

/** Returns the path that the visitor wanted before the sign-in page opened; always a path of this console. */
export function takeReturnPath(storage: Pick<Storage, 'getItem' | 'removeItem'> = sessionStorage): string {
  const path = storage.getItem(RETURN_KEY)
  storage.removeItem(RETURN_KEY)
  return path !== null && isOwnPath(path) ? path : '/'
}

/** Whether the path stays in this console. '//elsewhere', '/\\elsewhere' and whole addresses do not, and the sign-in pages would loop. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/^\/(login|forgot_password|reset_password)([/?#]|$)/.test(path)
}
