/**
 * The documents of bills: some wait in the inbox of the first client, some are attached to its bills, and a bundle of those is requested.
 * Slow work is left to the jobs of the started product: they read the documents and write the bundle, as for any abandoned work.
 */
import { createHash } from 'node:crypto'
import { noBundleFilters } from '#contract/bill-documents/bill-document.ts'
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { FileStore } from '../kernel/machinery.ts'
import { drawBill } from './draw-bills.ts'
import type { People } from './make-people.ts'
import { idOf } from './plan-bills.ts'
import type { PlannedAccount } from './plan-plants.ts'
import type { ClientPlan, PlannedBill } from './plan.ts'
import { asBytea, insertNumbered } from './store-rows.ts'

const pdf = 'application/pdf'
/** Copies per account. */
const COPIES = 2

export interface PaperDesk {
  readonly files: FileStore
  readonly ids: ReadonlyMap<object, number>
  readonly people: People
  readonly today: CalendarDate
}

export async function makeBillPapers(tx: Tx, client: ClientPlan, accounts: readonly PlannedAccount[], desk: PaperDesk): Promise<void> {
  const waiting = accounts.filter(({ account, planting }) => account.client === client && planting.inbox)
  await makeScans(
    tx,
    client,
    waiting.flatMap(({ planting }) => planting.inbox ?? []),
    desk,
  )
  await makeBundle(tx, client, waiting, desk)
}

/** Creates documents in the state of interrupted readings, so that the reader begins with them once the product runs. */
async function makeScans(tx: Tx, client: ClientPlan, bills: readonly PlannedBill[], desk: PaperDesk): Promise<void> {
  const papers = bills.map((bill, place) => ({ bill, at: `${addDays(desk.today, -1 - place)}T14:0${place}:00.000Z` }))
  const stored = await storePapers(tx, papers, desk)
  await insertNumbered(
    tx,
    'bill_scans',
    stored.map(({ file_id, filename, at }) => ({
      client_id: idOf(desk.ids, client),
      file_id,
      filename,
      state: 'reading',
      heartbeat_at: at,
      bills_inside: 1,
      tries: 0,
      created_by: desk.people.clerk,
      created_at: at,
      updated_at: at,
      lock_version: 0,
    })),
  )
}

/** Creates a bundle of the copies on the last bills of these accounts, in the state of an interrupted one. */
async function makeBundle(tx: Tx, client: ClientPlan, accounts: readonly PlannedAccount[], desk: PaperDesk): Promise<void> {
  const clientId = idOf(desk.ids, client)
  const copied = accounts.flatMap(({ planting }) => planting.regular.slice(-COPIES))
  const stored = await storePapers(
    tx,
    copied.map((bill) => ({ bill, at: bill.created })),
    desk,
  )
  const hung = stored.map(({ bill, file_id, filename, at }) => ({
    account: idOf(desk.ids, bill.account),
    date: bill.date,
    file_id,
    filename,
    at,
  }))
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename, created_at)
    select bills.client_id, bills.id, 1, hung.file_id, hung.filename, hung.at
    from jsonb_to_recordset(${JSON.stringify(hung)}::jsonb) as hung(account bigint, date date, file_id bigint, filename text, at timestamptz)
    join bills on bills.client_id = ${clientId} and bills.billable_account_id = hung.account and bills.date = hung.date`.execute(tx)
  const at = `${addDays(desk.today, -1)}T19:30:00.000Z`
  const name = 'Copies for the energy audit'
  const made = { client_id: clientId, user_id: desk.people.reviewer, created_at: at }
  const [id] = await insertNumbered(tx, 'bill_documents', [
    {
      ...made,
      name,
      on_client: true,
      form_data: {
        ...noBundleFilters,
        date_range: { from: copied.map(({ date }) => date).toSorted()[0] ?? null, to: null },
        billable_account_ids: accounts.map(({ account }) => idOf(desk.ids, account)),
      },
      lock_version: 0,
      updated_at: at,
    },
  ])
  const task = { ...made, kind: 'bill_documents', input: { bill_document_id: id, name }, state: 'running', rows_done: 0 }
  const [task_id] = await insertNumbered(tx, 'tasks', [{ ...task, started_at: at, heartbeat_at: at }])
  await sql`update bill_documents set task_id = ${task_id} where client_id = ${clientId} and id = ${id}`.execute(tx)
}

interface Paper {
  readonly bill: PlannedBill
  readonly at: string
}

/** Stores the files first: a key is derived from the bill, so that a retry after a failure overwrites the first. */
async function storePapers(tx: Tx, papers: readonly Paper[], { files, people }: PaperDesk) {
  const drawn = await Promise.all(
    papers.map(async ({ bill, at }) => {
      const { sample } = bill.account.client
      const filename = `${sample.code}_${bill.date.replaceAll('-', '')}_${bill.account.number.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(-6)}.pdf`
      const bytes = await drawBill(bill)
      const key = `demo/bills/${filename}`
      await files.put(key, bytes, pdf)
      return { bill, at, key, filename, bytes }
    }),
  )
  const fileIds = await insertNumbered(
    tx,
    'files',
    drawn.map(({ key, filename, bytes, at }) => ({
      key,
      filename,
      content_type: pdf,
      byte_size: bytes.length,
      sha256: asBytea(createHash('sha256').update(bytes).digest()),
      user_id: people.clerk,
      state: 'attached',
      created_at: at,
      attached_at: at,
    })),
  )
  return drawn.map((paper, place) => ({ ...paper, file_id: fileIds[place] ?? 0 }))
}
