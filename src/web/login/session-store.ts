/** The three headers of every call, kept in local storage under the same names. */
export const credentialNames = ['access-token', 'client', 'uid'] as const
export type Credentials = Record<(typeof credentialNames)[number], string>

const RETURN_KEY = 'return_to'
const NEWS_KEY = 'sign_in_news'

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
