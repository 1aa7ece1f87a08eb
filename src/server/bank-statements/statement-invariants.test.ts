/** What holds of bank statements after any decisions, in any order, by several people at once. */
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { bai2File, closingOf, type StatementOf, type StatementRow } from '../../../test/support/bank-statements.ts'
import { makeBankProfile, makeLastingPerson, makePayer } from '../../../test/support/desk.ts'
import { diceOf, type Dice } from '../../../test/support/dice.ts'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { giveAccount, sendPayments, type Sent } from '../../../test/support/sent-payments.ts'
import { setClock } from '../kernel/clock.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
const MINUTE = 60_000
const ACCOUNT = '51000077'
const rounds = Math.ceil(propertyRuns / 25)
let staff: Person
let ground: Ground
let profile: number

beforeEach(async () => {
  setClock('2026-11-25T15:00:00Z')
  staff = await makeLastingPerson(db, 'muc_admin')
  await sql`insert into global_batch_bank_values (day, value, locked) values ('2026-11-25', 500000, true)`.execute(db)
  ground = await makePayer(db)
  profile = await makeBankProfile(db, ground.clientId)
  await giveAccount(db, profile, ACCOUNT)
})
afterEach(() => setClock())

const line = z.object({ id: z.int(), lock_version: z.int(), state: z.string(), clearable_key: z.string().nullable() })
const linesIn = z.object({ bank_statement_lines: z.array(line) })
const candidatesIn = z.object({ candidates: z.array(z.object({ key: z.string() })) })
const statement = z.object({
  id: z.int(),
  opening: z.string(),
  cleared: z.string(),
  explained: z.string(),
  difference: z.string(),
  closing: z.string(),
})
const statementsIn = z.object({ bank_statements: z.array(statement) })
const outstandingIn = z.object({ outstanding_payments: z.array(z.object({ id: z.int() })) })

/** Amounts of which there are few, so that several payments may be meant by one line. */
const amounts = ['10.00', '20.00', '30.00', '30.00', '60.00'] as const
const days = ['2026-11-27', '2026-11-28'] as const

/** Random sums of payments, a fee, and the return of these payments. */
function rowsOf(dice: Dice, returned: Sent['entries']): StatementRow[] {
  const cents = [1_000, 2_000, 3_000, 6_000, 15_000, 15_000]
  const rows = Array.from({ length: 8 }, (): StatementRow => ({ code: '475', cents: cents[dice(cents.length)] ?? 0 }))
  const back = returned.map(({ payment }, at): StatementRow => ({ code: '257', cents: 1_000 * (at + 1), text: `VP-${payment}` }))
  return [...rows, { code: '699', cents: 1_500, text: 'FEE' }, ...back]
}

async function linesNow() {
  const { text } = await ask(staff, 'GET', '/bank_statement_lines?per=200')
  return linesIn.parse(JSON.parse(text)).bank_statement_lines
}

/** One decision of somebody who has just looked. */
async function decide(dice: Dice, sent: readonly Sent[], files: readonly string[]): Promise<number> {
  const lines = await linesNow()
  const one = lines[dice(lines.length)]
  const version = { lock_version: one?.lock_version ?? 0 }
  const act = async (what: string, body: object) => (await ask(staff, 'POST', `/bank_statement_lines/${one?.id}/${what}`, body)).status
  const drawn = dice(10)
  if (drawn < 3) return act('clear', { clearable_key: one?.clearable_key ?? 'check:0', ...version })
  if (drawn < 5) {
    const offered = await ask(staff, 'GET', `/bank_statement_lines/${one?.id}/candidates`)
    if (offered.status !== 200) return offered.status
    const { candidates } = candidatesIn.parse(JSON.parse(offered.text))
    return act('clear', { clearable_key: candidates[dice(candidates.length)]?.key ?? 'check:0', ...version })
  }
  if (drawn === 5) return act('explain', { reason: 'A fee', ...version })
  if (drawn < 8) return act('undo', { reason: 'A mistake', ...version })
  return drawn === 8 ? other(dice, files) : reverse(dice, sent)
}

async function other(dice: Dice, files: readonly string[]): Promise<number> {
  const { text } = await ask(staff, 'GET', '/bank_statements')
  const [last] = statementsIn.parse(JSON.parse(text)).bank_statements
  if (dice(2) === 0) return (await ask(staff, 'POST', `/bank_statements/${last?.id ?? 0}/match`)).status
  if (dice(2) === 0) return (await ask(staff, 'DELETE', `/bank_statements/${last?.id ?? 0}`)).status
  return readIn(files[dice(files.length)] ?? '')
}

const readIn = async (content: string): Promise<number> =>
  (await ask(staff, 'POST', '/bank_statements', { originating_profile_id: profile, file_name: 'day.bai', content })).status

async function reverse(dice: Dice, sent: readonly Sent[]): Promise<number> {
  const of = sent[dice(sent.length)]
  const payment = of?.entries[dice(of.entries.length)]?.payment ?? 0
  const kind = dice(2) === 0 ? 'other' : 'void_check'
  const payment_reversal = { kind, reversed_date: '2026-11-28', reason: 'Taken back' }
  return (await ask(staff, 'POST', `/global_batches/${of?.batch ?? 0}/vendor_payments/${payment}/reverse`, { payment_reversal })).status
}

/** A cleared line is exactly its payments, and no other line has any. */
async function linesAreTheirPayments(): Promise<void> {
  const { rows } = await sql`select line.id, line.state, line.amount, count(clearing.*) as payments
    from bank_statement_lines line left join bank_clearings clearing on clearing.bank_statement_line_id = line.id
    group by line.id having (line.state = 'matched') <> (count(clearing.*) > 0)
      or (line.state = 'matched' and line.amount <> sum(case clearing.direction when 'out' then -clearing.amount else clearing.amount end))`.execute(
    db,
  )
  expect(rows).toEqual([])
  const { rows: lost } = await sql`select * from bank_clearings clearing where not exists (select 1 from bank_statement_lines line
    where line.id = clearing.bank_statement_line_id)`.execute(db)
  expect(lost).toEqual([])
}

/** Opening, cleared, explained and the difference come to the closing balance. */
async function figuresAgree(): Promise<void> {
  const { text } = await ask(staff, 'GET', '/bank_statements')
  for (const one of statementsIn.parse(JSON.parse(text)).bank_statements) {
    expect(sumMoney([one.opening, one.cleared, one.explained, one.difference])).toBe(one.closing)
    const { rows } = await sql<{ open: string }>`select coalesce(sum(amount), 0)::numeric(14,2)::text as open from bank_statement_lines
      where bank_statement_id = ${one.id} and state in ('proposed', 'open')`.execute(db)
    expect(one.difference).toBe(rows[0]?.open)
  }
}

/** Each entry is outstanding, or cleared, or was taken back before it left: one of the three. */
async function eachEntryIsSomewhere(): Promise<void> {
  const { text } = await ask(staff, 'GET', '/outstanding_payments?per=200')
  const listed = new Set(outstandingIn.parse(JSON.parse(text)).outstanding_payments.map(({ id }) => id))
  const { rows } = await sql<{ id: number; cleared: boolean; back: boolean; gone: boolean }>`select entry.id,
      exists (select 1 from bank_clearings c where c.payer_id = entry.client_id and c.global_batch_file_payment_id = entry.id and c.direction = 'out') as cleared,
      exists (select 1 from bank_clearings c where c.payer_id = entry.client_id and c.global_batch_file_payment_id = entry.id and c.direction = 'back') as back,
      exists (select 1 from payment_reversals r where r.client_id = entry.client_id and r.vendor_payment_id = entry.vendor_payment_id) as gone
    from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    where file.purpose = 'payment' and file.format = 'check_request'`.execute(db)
  for (const { id, cleared, back, gone } of rows) expect([id, listed.has(id)]).toEqual([id, !cleared && (!gone || back)])
  const { rows: filed } = await sql<{ id: number; cleared: boolean }>`select entry.id,
      exists (select 1 from bank_clearings c where c.payer_id = entry.client_id and c.global_batch_file_payment_id = entry.id and c.direction = 'out') as cleared
    from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    where file.purpose = 'payment' and file.format <> 'check_request'`.execute(db)
  for (const { id, cleared } of filed) expect([id, listed.has(id)]).toEqual([id, !cleared])
  expect(filed.length + rows.length).toBe(amounts.length * 2)
}

it(
  `after ${rounds} rounds of three decisions at once each cleared line is exactly its payments, figures agree to the cent, and each payment is outstanding, cleared or taken back`,
  { timeout: Math.max(2 * MINUTE, rounds * 3_000) },
  async () => {
    const dice = diceOf(20_261_127)
    const checks = await sendPayments(app, staff, { amounts, type: 'Check', of: ground })
    const sent = [checks, await sendPayments(app, staff, { amounts, type: 'ACH', of: ground })]
    setClock('2026-11-28T15:00:00Z')
    const first: StatementOf = { account: ACCOUNT, day: days[0], opening: 1_000_000, rows: rowsOf(dice, []) }
    const second: StatementOf = {
      account: ACCOUNT,
      day: days[1],
      opening: closingOf(first),
      rows: rowsOf(dice, checks.entries.slice(0, 2)),
    }
    const files = [bai2File([first]), bai2File([second])]
    for (const file of files) expect(await readIn(file)).toBe(200)
    const answers = new Map<number, number>()
    for (let round = 0; round < rounds; round++) {
      const statuses = await Promise.all(Array.from({ length: 3 }, () => decide(dice, sent, files)))
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1)
      await linesAreTheirPayments()
      await figuresAgree()
      await eachEntryIsSomewhere()
    }
    // Decisions succeed and are refused; nothing else happens.
    expect([...answers.keys()].filter((status) => ![200, 404, 409, 422].includes(status))).toEqual([])
    expect(Math.min(answers.get(200) ?? 0, answers.get(409) ?? 0)).toBeGreaterThan(rounds / 4)
  },
)
