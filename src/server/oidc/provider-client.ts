/** The identity provider: found by discovery, called through the guarded request, never through a redirect. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  customFetch,
  discovery,
  fetchUserInfo,
  type Configuration,
  type CustomFetchOptions,
} from 'openid-client'
import { allowedHosts, outsideRequest, refusedUrl, type AllowedHosts, type RequestLimits } from '../kernel/http/outside-request.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly label: string
  /** Hosts of the provider that may be in a private network and may be called without TLS. */
  readonly privateHosts: readonly string[]
}

/** The identity that the provider confirmed. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly isVerified: boolean
}

/** Values that must match when the browser returns. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface ProviderClient {
  /** Returns the address to redirect the browser to. */
  signInUrl(challenge: Challenge, redirectUri: string): Promise<URL>
  /** Exchanges the returned parameters. Throws if any of them is not as requested. */
  identityOf(returned: URL, challenge: Challenge): Promise<Identity>
}

const limits: RequestLimits = { connectMs: 3_000, totalMs: 10_000, maxBytes: 1_000_000 }
const timeoutSeconds = 10
/** Keys and addresses of a provider seldom change; a failed discovery is not cached. */
const rememberMs = 3_600_000

export function createProviderClient(settings: OidcSettings, production: boolean): ProviderClient {
  const hosts = allowedHosts(production, settings.privateHosts)
  let known: { found: Promise<Configuration>; until: number } | null = null
  const provider = (): Promise<Configuration> => {
    if (known && performance.now() < known.until) return known.found
    const found = discover(settings, hosts)
    const asked = { found, until: performance.now() + rememberMs }
    known = asked
    found.catch(() => {
      if (known === asked) known = null
    })
    return found
  }
  return {
    async signInUrl({ state, nonce, codeVerifier }, redirectUri) {
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      const reason = refusedUrl(url, hosts)
      if (reason !== null) throw new Error(`the provider's sign-in page cannot be used: ${reason}`)
      return url
    },
    async identityOf(returned, { state, nonce, codeVerifier }) {
      const config = await provider()
      const checks = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(config, returned, checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider sent no id token')
      const { iss: issuer, sub: subject } = claims
      const said = claims['email'] === undefined ? await askMore(config, tokens.access_token, subject) : claims
      const email = typeof said['email'] === 'string' ? said['email'] : null
      return { issuer, subject, email, isVerified: said['email_verified'] === true }
    },
  }
}

/** Some providers return the address only from their userinfo endpoint. */
async function askMore(config: Configuration, accessToken: string, subject: string): Promise<Readonly<Record<string, unknown>>> {
  return config.serverMetadata().userinfo_endpoint === undefined ? {} : fetchUserInfo(config, accessToken, subject)
}

function discover({ issuer, clientId, clientSecret }: OidcSettings, hosts: AllowedHosts): Promise<Configuration> {
  const url = new URL(issuer)
  return discovery(url, clientId, undefined, ClientSecretBasic(clientSecret), {
    timeout: timeoutSeconds,
    [customFetch]: guardedFetch(hosts),
    // Only a host that is listed as private is called without TLS, and the guard decides last.
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
}

function guardedFetch(hosts: AllowedHosts) {
  return async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const answer = await outsideRequest({ method, url: new URL(url), headers, ...(body ? { body: textOf(body) } : {}) }, hosts, limits)
    const kept = Object.entries(answer.headers).filter((header): header is [string, string] => typeof header[1] === 'string')
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.bytes), { status: answer.status, headers: kept })
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('the provider is sent forms only')
}
