/** A new client into which every real statement is imported through the API, as a person would do it. */
import { z } from 'zod'
import type { Answer } from './app.ts'
import { taskOf, type SeenTask } from './retrieval.ts'

type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

interface ImportedStatements {
  readonly fetched: SeenTask
  readonly imported: SeenTask
}

/**
 * Fetches all statements for the client and imports each, with a new vendor for each utility and one facility of the division for all
 * accounts. `onStep` hears of each step when it is over.
 */
export async function importRealStatements(
  ask: Ask,
  clientId: number,
  divisionId: number,
  onStep: (what: string) => void = () => undefined,
): Promise<ImportedStatements> {
  const path = `/clients/${clientId}`
  const fetched = await taskOf(ask, (await ask('POST', `${path}/bill_retrieval/fetch`)).body['task_id'])
  onStep('fetch of the statements')
  const needed = z
    .object({ total: z.number(), utilities: z.array(z.object({ provider_name: z.string() })) })
    .parse((await ask('GET', `${path}/bill_retrieval/accounts_needed`)).body)
  onStep('accounts needed')
  const facility = { name: 'Campus', number: '1', division_id: divisionId }
  const new_accounts = needed.utilities.map(({ provider_name }) => ({
    provider_name,
    new_vendor: { name: provider_name, short_code: provider_name.slice(0, 40) },
    new_facility: facility,
  }))
  const started = await ask('POST', `${path}/bills/retrieval_import`, {
    all_matching: true,
    filter: { q: { state_in: ['needs_account'] } },
    new_accounts,
  })
  if (started.body['message'] !== 'Starting Import Process') throw new Error(started.text)
  const imported = await taskOf(ask, started.body['task_id'])
  onStep('import')
  return { fetched, imported }
}
