/** The shell's calls about clients. */
import { clientCalls, type Client } from '#contract/clients/client.ts'

export type ScopeClient = Client

export const scopeCalls = {
  /** The client that scopes the console. */
  client: clientCalls.get,
  /** The clients that the picker offers. */
  choices: clientCalls.dropdownOptions,
}
