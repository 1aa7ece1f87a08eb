/**
 * Which retrieval service a client's statements come from. The settings say which services this installation reaches; the sandbox is always
 * there and needs nothing. A service over HTTP is the default where one is set up, then a folder of statements, then the sandbox.
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

/** Makes the same statements in every installation of this version. */
const SANDBOX_SPEC = 1

export interface ClientProvider {
  readonly provider: BillRetrievalProvider
  readonly clientCode: string
}

/** The default first. */
type Providers = readonly BillRetrievalProvider[]
/** By the machinery of a running application, since tasks know that and nothing else of it. */
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

/** Takes these services instead of those of the settings; the first is the default. */
export function setProviders(machinery: Machinery, providers: Providers): void {
  providersOf.set(machinery, providers)
}

/** The services that are set up here, the default first. */
export function retrievalServices(machinery: Machinery): readonly { readonly id: string; readonly label: string }[] {
  return (providersOf.get(machinery) ?? []).map(({ id, label }) => ({ id, label }))
}

/** The service of a client: the one that the client's record names, else the default. Throws where that one is not set up. */
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

/** What went wrong at the service, as a refusal that the person reads. Other errors are faults of ours and stay what they are. */
export function failureOfProvider(error: unknown): unknown {
  return error instanceof ProviderError ? new Failure('refused', `The retrieval service: ${error.message}`) : error
}
