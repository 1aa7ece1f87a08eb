/**
 * Accounts that a number may mean: those with the exact number, then those with the number without spaces and dashes, then those with it as
 * an alias. Files of accounts and of bills, statements and documents all use this one relation. The caller chooses among several accounts,
 * because each knows something else besides the number.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { accountTables, type AccountKind } from './estate-accounts.ts'
import { foldedText } from '../kernel/lists/folded-text.ts'
import { plainNumberColumn } from '../kernel/lists/list.ts'

type Sql = RawBuilder<unknown>

/** How an account was found; the lower number has priority. */
export const foundBy = { number: 1, plainNumber: 2, alias: 3 } as const

/**
 * Forms in which two numbers are compared: as written, and without the separators that people and utilities use freely. Leading zeros
 * count.
 */
interface Writing {
  readonly written: (text: Sql) => Sql
  readonly plain: (text: Sql) => Sql
}

/** Indexes serve this comparison. */
const asWritten: Writing = { written: (text) => text, plain: plainNumberColumn }
/** For typed files the case of letters is ignored. */
export const inAnyCase: Writing = { written: foldedText, plain: (text) => foldedText(plainNumberColumn(text)) }
/** In a picture of a number only letters and digits are reliable. */
export const lettersAndDigitsOnly: Writing = { written: bareText, plain: bareText }

export function bareText(text: Sql): Sql {
  return sql`regexp_replace(${text}, '[^A-Za-z0-9]', '', 'g')`
}

interface Search {
  readonly clientId: number
  /** The searched numbers: an item of a from clause, called `wanted`, with the column `number`. */
  readonly wanted: Sql
  readonly kinds?: readonly AccountKind[]
  /** Condition for the searched accounts of a kind, under the name of their table. */
  readonly inside?: (kind: AccountKind) => RawBuilder<SqlBool>
  readonly writing?: Writing
}

const accountTypes: Readonly<Record<AccountKind, string>> = { billable_account: 'BillableAccount', supply_account: 'SupplyAccount' }
const everyKind = ['billable_account', 'supply_account'] as const

/** Returns a select of number, account_type, id, vendor_id, account_number, name, active and how: an account may be found in two ways. */
export function foundAccounts({ clientId, wanted, kinds = everyKind, inside = () => sql`true`, writing = asWritten }: Search): Sql {
  const { written, plain } = writing
  const number = sql.ref('wanted.number')
  const each = kinds.map((kind) => {
    const { table, key } = accountTables[kind]
    const of = (column: string): Sql => sql.ref(`${table}.${column}`)
    const shown = sql`${number} as number, ${sql.lit(accountTypes[kind])}::text as account_type, ${of('id')} as id, ${of('vendor_id')} as vendor_id,
      ${of('account_number')} as account_number, ${of('name')} as name, ${of('active')} as active`
    const isWritten = sql`${written(of('account_number'))} = ${written(number)}`
    const searched = sql`${of('client_id')} = ${clientId} and ${inside(kind)}`
    return sql`select ${shown}, case when ${isWritten} then ${foundBy.number}::int else ${foundBy.plainNumber}::int end as how
        from ${wanted} join ${sql.table(table)} on ${plain(of('account_number'))} = ${plain(number)} and (${plain(number)} <> '' or ${isWritten}) where ${searched}
      union all
      select ${shown}, ${foundBy.alias}::int
        from ${wanted} join account_aliases alias on alias.client_id = ${clientId} and ${plain(sql.ref('alias.alias'))} = ${plain(number)} and ${plain(number)} <> ''
        join ${sql.table(table)} on ${of('id')} = ${sql.ref(`alias.${key}`)} where ${searched}`
  })
  return sql.join(each, sql` union all `)
}
