/**
 * Chooses the retrieval service of a client's statements. The settings name the services that this installation reaches; the sandbox always
 * exists and needs nothing. The default is a service over HTTP if one is configured, then a folder of statements, then the sandbox.
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { today } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { Failure, notFound } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { folderProvider } from './folder-provider.ts'
import { httpProvider } from './http-provider.ts'
import { ProviderError, type BillRetrievalProvider } from './provider.ts'
import { readSandboxAccounts } from './sandbox-accounts.ts'
import { sandboxProvider } from './sandbox-provider.ts'

/** Produces the same statements in every installation of this version. */
const SANDBOX_SPEC = 1

export interface ClientProvider {
  readonly provider: BillRetrievalProvider
  readonly clientCode: string
}

/** The default first. */
type Providers = readonly BillRetrievalProvider[]
/** Keyed by the machinery of a running application, because tasks have no other access to the application. */
const providersOf = new WeakMap<Machinery, Providers>()

/** Sets up the services that the settings name. */
export function openProviders(machinery: Machinery, { retrieval }: Pick<Config, 'retrieval'>): void {
  const { http, statementsFolder } = retrieval
  const overHttp =
    http &&
    httpProvider({
      baseUrl: http.url,
      tokenUrl: new URL('token', http.url.endsWith('/') ? http.url : `${http.url}/`).href,
      clientId: http.clientId,
      clientSecret: http.clientSecret,
      allowed: { hosts: http.allowedHosts },
    })
  const { db } = machinery.database
  const sandbox = sandboxProvider({ spec: SANDBOX_SPEC, accounts: (clientCode) => readSandboxAccounts(db, clientCode), today })
  setProviders(machinery, [...(overHttp ? [overHttp] : []), ...(statementsFolder ? [folderProvider(statementsFolder)] : []), sandbox])
}

/** Uses these services instead of those of the settings; the first is the default. */
export function setProviders(machinery: Machinery, providers: Providers): void {
  providersOf.set(machinery, providers)
}

/** Returns the configured services, the default first. */
export function retrievalServices(machinery: Machinery): readonly { readonly id: string; readonly label: string }[] {
  return (providersOf.get(machinery) ?? []).map(({ id, label }) => ({ id, label }))
}

/** Returns the service of a client: the one that the client's record names, else the default. Throws if that one is not configured. */
export async function providerOf(machinery: Machinery, tx: Tx, clientId: number): Promise<ClientProvider> {
  const { rows } = await sql<{
    short_code: string
    retrieval_provider: string | null
  }>`select short_code, retrieval_provider from clients where id = ${clientId}`.execute(tx)
  const client = rows[0]
  if (!client) throw notFound()
  const providers = providersOf.get(machinery) ?? []
  const wanted = client.retrieval_provider
  const provider = wanted === null ? providers[0] : providers.find((one) => one.id === wanted)
  if (!provider) throw new Failure('refused', `The retrieval service ${wanted ?? ''} of this client is not set up here.`)
  return { provider, clientCode: client.short_code }
}

/** Turns an error of the service into a refusal for the user. Other errors are internal and stay unchanged. */
export function failureOfProvider(error: unknown): unknown {
  return error instanceof ProviderError ? new Failure('refused', `The retrieval service: ${error.message}`) : error
}
