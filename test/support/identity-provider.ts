/** A real identity provider (oidc-provider) on this machine, with its own sign-in pages, and a sign-in through them without a browser. */
import { createServer, type RequestListener } from 'node:http'
import Provider from 'oidc-provider'
import { atEndOfFile } from './end-of-file.ts'

export interface Claims {
  readonly email?: string
  readonly email_verified?: boolean | undefined
}

export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Users by the name that they type at the provider, which is their subject too. */
  readonly people: Map<string, Claims>
  /**
   * Starts serving the application at this URL. `inToken` puts the email into the id token; otherwise it is requested at the userinfo URL.
   */
  openFor(url: string, options?: { inToken?: boolean }): void
  /** Answers in place of the provider. */
  replaceBy(listener: RequestListener): void
}

/** Listens at once, so that the application can get the URL; it answers after `openFor`. It ends with the test file. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const people = new Map<string, Claims>()
  const client = { clientId: 'meterbook', clientSecret: 'a secret of the test, shared with the provider' }
  return {
    issuer,
    ...client,
    people,
    openFor(url, { inToken = false } = {}) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [`${url}/api/v5/auth/oidc/callback`] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: !inToken,
        cookies: { keys: ['keys of the test'] },
        findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
      })
      listener = provider.callback()
    },
    replaceBy(next) {
      listener = next
    },
  }
}

/** Signs in at the provider as a browser would, and stops at the redirect back. @returns that URL. */
export async function walkSignIn(start: URL, name: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = start
  let form: URLSearchParams | null = null
  for (let steps = 0; steps < 12; steps++) {
    const response: Response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      ...(form ? { body: form } : {}),
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
    })
    form = null
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const next = response.headers.get('location')
    if (next) {
      url = new URL(next, url)
      if (url.origin !== start.origin) return url
      continue
    }
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (!prompt || !action) throw new Error(`the provider answered ${response.status} ${page.slice(0, 500)}`)
    url = new URL(action, url)
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt })
  }
  throw new Error('the provider leads round in a circle')
}
