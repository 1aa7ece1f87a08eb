/** Bank statements and their lines as lists. */
import { bankStatementLine } from '#contract/bank-statements/bank-statement-line.ts'
import { bankStatement } from '#contract/bank-statements/bank-statement.ts'
import { sql } from 'kysely'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import { resource } from '../kernel/lists/resource.ts'

const sumOf = (...states: readonly string[]) => sql`(select coalesce(sum(line.amount), 0)::numeric(14,2) from bank_statement_lines line
  where line.bank_statement_id = bank_statements.id and line.state in (${sql.join(states.map((state) => sql.lit(state)))}))`
const countOf = (...states: readonly string[]) => sql`(select count(*)::int from bank_statement_lines line
  where line.bank_statement_id = bank_statements.id and line.state in (${sql.join(states.map((state) => sql.lit(state)))}))`
const file = sql`join bank_statement_files file on file.id = bank_statements.bank_statement_file_id`
const account = sql`join bank_accounts account on account.id = bank_statements.bank_account_id`

export const bankStatements = resource({
  entity: bankStatement,
  table: 'bank_statements',
  scope: { client: sql.ref('bank_statements.payer_id'), levels: {} },
  joins: {
    file,
    account,
    client: sql`left join clients client on client.id = bank_statements.payer_id`,
    author: sql`left join users author on author.id = (select reader.created_by from bank_statement_files reader
      where reader.id = bank_statements.bank_statement_file_id)`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    bank_name: { sql: sql`account.bank_name`, joins: ['account'] },
    account_last4: { sql: sql`account.account_last4`, joins: ['account'] },
    client_id: { sql: sql`nullif(bank_statements.payer_id, 0)` },
    payer_name: { sql: sql`coalesce(client.name, 'Provider') collate natural_order`, joins: ['client'] },
    cleared: { sql: sumOf('matched') },
    explained: { sql: sumOf('explained') },
    difference: {
      sql: sql`(bank_statements.closing - bank_statements.opening - ${sumOf('matched')} - ${sumOf('explained')})::numeric(14,2)`,
    },
    line_count: { sql: countOf('matched', 'proposed', 'open', 'explained', 'ignored') },
    open_count: { sql: countOf('proposed', 'open') },
    proposed_count: { sql: countOf('proposed') },
    cleared_count: { sql: countOf('matched') },
    explained_count: { sql: countOf('explained') },
    format: { sql: sql`file.format`, joins: ['file'] },
    file_name: { sql: sql`file.file_name`, joins: ['file'] },
    created_by_name: { sql: sql`${nameOfUser('author')} collate natural_order`, joins: ['author'] },
  },
  search: ['bank_name', 'account_last4', 'payer_name', 'file_name'],
})

export const statementLines = resource({
  entity: bankStatementLine,
  table: 'bank_statement_lines',
  scope: { client: sql.ref('bank_statement_lines.payer_id'), levels: {} },
  joins: { person: sql`left join users person on person.id = bank_statement_lines.settled_by` },
  columns: {
    client_id: { sql: sql`bank_statement_lines.payer_id` },
    settled_by_name: { sql: sql`${nameOfUser('person')} collate natural_order`, joins: ['person'] },
  },
  search: ['description', 'check_number', 'reference', 'clearable_name'],
})
