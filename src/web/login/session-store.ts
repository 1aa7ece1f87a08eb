/** The three headers of every call, kept in local storage under the same names. */
export const credentialNames = ['access-token', 'client', 'uid'] as const
export type Credentials = Record<(typeof credentialNames)[number], string>

const RETURN_KEY = 'return_to'
const NEWS_KEY = 'sign_in_news'
const DEVICE_KEY = 'device-mark'

/** The three credentials from whatever holds them; null when one is missing or empty. */
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

/** The credentials of the mailed link, taken out of the address at the first call: they must not stay in the browser's history. */
export function takeLinkCredentials(): Credentials | null {
  if (linkCredentials === undefined) {
    const query = new URLSearchParams(location.search)
    linkCredentials = readCredentials((name) => query.get(name))
    if (linkCredentials) history.replaceState(null, '', location.pathname)
  }
  return linkCredentials
}

/** What this device was given when somebody signed in from it: others who guess at the account do not brake it. It outlives the sign-in. */
export function deviceMark(): Record<string, string> {
  const mark = localStorage.getItem(DEVICE_KEY)
  return mark ? { [DEVICE_KEY]: mark } : {}
}

export function keepDeviceMark(reply: Response): void {
  const mark = reply.headers.get(DEVICE_KEY)
  if (mark) localStorage.setItem(DEVICE_KEY, mark)
}

/** Leaves word for the sign-in page that follows. */
export function keepNews(news: 'passwordReset'): void {
  sessionStorage.setItem(NEWS_KEY, news)
}

/** Whether word was left; answers true once. */
export function takeNews(news: 'passwordReset'): boolean {
  const isThere = sessionStorage.getItem(NEWS_KEY) === news
  if (isThere) sessionStorage.removeItem(NEWS_KEY)
  return isThere
}

/** Where the visitor wanted to go before the sign-in page came between; only ever a path of this console. */
export function takeReturnPath(storage: Pick<Storage, 'getItem' | 'removeItem'> = sessionStorage): string {
  const path = storage.getItem(RETURN_KEY)
  storage.removeItem(RETURN_KEY)
  return path !== null && isOwnPath(path) ? path : '/'
}

/** '//elsewhere', '/\\elsewhere' and whole addresses lead away; the sign-in pages would lead round in a circle. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/^\/(login|forgot_password|reset_password)([/?#]|$)/.test(path)
}
