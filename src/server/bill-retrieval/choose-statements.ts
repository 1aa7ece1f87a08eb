/** The statements that a user chose: those named by their file ids, or all of a filter. Always inside the caller's reach. */
import { statementsPerImportMax } from '#contract/bill-retrieval/bill-retrieval.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { readPage, scopeCondition } from '../kernel/lists/list.ts'
import { invalid } from '../kernel/problem.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { statementSource } from './statement-source.ts'

export interface Choice {
  readonly file_ids?: readonly string[] | undefined
  readonly all_matching?: boolean | undefined
  readonly filter?: Pick<ListInput, 'q'> | undefined
}

export interface ChosenId {
  readonly id: number
  readonly file_id: string
}

/**
 * Returns the chosen statements. `field` is where a refusal shows. Throws 422 if a file id is unknown, or if none or too many are chosen.
 */
export async function chooseStatements(context: Context, clientId: number, choice: Choice, field: string): Promise<ChosenId[]> {
  const asksAll = choice.all_matching === true
  if (asksAll === (choice.file_ids !== undefined)) throw invalid({ [field]: ['Name the records or choose all that match'] })
  const chosen = asksAll
    ? await allMatching(context, clientId, choice.filter ?? {})
    : await byFileIds(context, clientId, choice.file_ids ?? [], field)
  if (chosen.length === 0) throw invalid({ [field]: ['No record matches'] })
  if (chosen.length > statementsPerImportMax)
    throw invalid({ [field]: [`At most ${statementsPerImportMax.toLocaleString('en-US')} records at once`] })
  return chosen
}

async function allMatching(context: Context, clientId: number, filter: Pick<ListInput, 'q'>): Promise<ChosenId[]> {
  const query = { ...checkedQuery(statementSource, filter), page: 1, per: statementsPerImportMax + 1, withTotal: false, withRows: true }
  const { rows } = await readPage<ChosenId>(context.tx, statementSource, query, { reach: context.reach, clientId }, ['id', 'file_id'])
  return rows
}

async function byFileIds(context: Context, clientId: number, fileIds: readonly string[], field: string): Promise<ChosenId[]> {
  const wanted = [...new Set(fileIds)]
  const { rows } =
    await sql<ChosenId>`select id, file_id from retrieval_statements where ${scopeCondition(statementSource, { reach: context.reach, clientId })}
    and file_id = any(${wanted}::text[]) order by id`.execute(context.tx)
  const found = new Set(rows.map((row) => row.file_id))
  const unknown = wanted.filter((id) => !found.has(id))
  if (unknown.length > 0)
    throw invalid({
      [field]: [
        `There is no statement with the file ${unknown.slice(0, 3).join(', ')}${unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''}`,
      ],
    })
  return rows
}
