/** The charged steps: the document, the keyed values, and the findings of the audits. */
import { commonRefusals } from '#contract/bills/batch-words.ts'
import { trailFactsMax, type TrailFact, type TrailStep } from '#contract/bill-trail/bill-trail.ts'
import { addMoney, centsOf, formatMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { compared, fact, noStep, step, type TrailedBill } from './trail-step.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export async function chargedSteps(tx: Tx, bill: TrailedBill): Promise<TrailStep[]> {
  return [await documentStep(tx, bill), await keyedStep(tx, bill), await findingsStep(tx, bill)]
}

async function documentStep(tx: Tx, { client_id: clientId, id }: TrailedBill): Promise<TrailStep> {
  const { rows } = await sql<{
    filename: string
    at: string
    by: string | null
    sha256: string | null
  }>`select kept.filename, kept.created_at as at,
      ${nameOfUser('author')} as by, encode(file.sha256, 'hex') as sha256
    from bill_files kept join files file on file.id = kept.file_id left join users author on author.id = file.user_id
    where kept.client_id = ${clientId} and kept.bill_id = ${id} order by kept.position`.execute(tx)
  if (rows.length === 0) return noStep('document', 'No document is kept with this bill')
  const link = `/clients/${clientId}/bills/${id}/documents`
  return step(
    'document',
    rows.map(({ filename, at, by, sha256 }) => fact(sha256 === null ? filename : `${filename}, ${sha256.slice(0, 8)}`, { at, by, link })),
  )
}

const sources: Readonly<Record<string, string>> = {
  typed: 'Typed',
  import: 'Imported from a file',
  retrieval: 'Made from a statement',
  demo: 'Made with the demo data',
}

/** The amount due is the sum of its parts. The lines are the part that belongs to meters; the rest is spread over them. */
async function keyedStep(tx: Tx, bill: TrailedBill): Promise<TrailStep> {
  const { client_id: clientId, id } = bill
  const { rows } = await sql<{
    by: string | null
    count: number
    sum: string
  }>`select (select ${nameOfUser('author')} from users author where author.id = ${bill.created_by}::bigint) as by,
      (select count(*)::int from service_bills where client_id = ${clientId} and bill_id = ${id}) as count,
      (select coalesce(sum(entry.value), 0)::numeric(14,2) from service_bill_entry_values entry join service_bills line
        on line.client_id = ${clientId} and line.id = entry.service_bill_id where entry.client_id = ${clientId} and line.bill_id = ${id}) as sum`.execute(
    tx,
  )
  const { by = null, count = 0, sum = '0.00' } = rows[0] ?? {}
  const parts = addMoney(bill.balance_forward, bill.current_charges, bill.late_fee)
  const link = `/clients/${clientId}/bills/${id}`
  const facts: TrailFact[] = [
    fact(sources[bill.source] ?? bill.source, { at: bill.created_at, by, link }),
    fact('Current charges', { amount: bill.current_charges }),
    ...(centsOf(bill.balance_forward) === 0 ? [] : [fact('Balance forward', { amount: bill.balance_forward })]),
    ...(centsOf(bill.late_fee) === 0 ? [] : [fact('Late fee', { amount: bill.late_fee })]),
    fact(count === 1 ? 'On 1 line' : `On ${count} lines`, { amount: sum }),
    ...(bill.superseded_by_id === null
      ? []
      : [fact(commonRefusals.void, { link: `/clients/${clientId}/bills/${bill.superseded_by_id}/trail` })]),
  ]
  return step('keyed', facts, {
    charged: bill.amount_due,
    ...compared(bill.amount_due, parts, `Its parts add up to ${formatMoney(parts)}`),
  })
}

/** An open error is no figure, but the first thing an auditor asks about. */
async function findingsStep(tx: Tx, { client_id: clientId, id }: TrailedBill): Promise<TrailStep> {
  const { rows } = await sql<{
    severity: string
    message: string
    resolved_at: string | null
    by: string | null
    reason: string | null
    created_at: string
  }>`
    select finding.severity, finding.message, finding.resolved_at, ${nameOfUser('resolver')} as by, finding.reason, finding.created_at
    from bill_findings finding left join users resolver on resolver.id = finding.resolved_by
    where finding.client_id = ${clientId} and finding.bill_id = ${id} and finding.severity <> 'I' order by finding.id limit ${trailFactsMax}`.execute(
    tx,
  )
  if (rows.length === 0) return noStep('findings', 'The audits found nothing')
  const link = `/clients/${clientId}/bills/${id}`
  return step(
    'findings',
    rows.map(({ severity, message, resolved_at, by, reason, created_at }) => {
      const state = resolved_at === null ? 'open' : ['resolved', reason].filter((part) => part !== null).join(': ')
      return fact(`${severity} ${message} · ${state}`, { at: resolved_at ?? created_at, by, link })
    }),
  )
}
