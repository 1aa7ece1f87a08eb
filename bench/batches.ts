/**
 * P11: ten thousand bills into one client batch by the console's call, compared with the plain statements that any such save must send; and
 * the upload file of a hundred thousand ledger lines, compared with COPY of the same columns.
 */
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { setTimeout as sleep } from 'node:timers/promises'
import { settleMs, signedIn, waitMs, withBrowser } from './browser.ts'
import { untilDone } from './exports.ts'
import type { Ground } from './ground.ts'
import { round, shown, spreadOf } from './measure.ts'
import { ask, askJson } from './product.ts'
import type { Line } from './table.ts'
import { clickMs } from './thousand-rows.ts'

const billsOfSave = 10_000
/** A batch of as many bills has five ledger lines a bill: two services with two accounts each, and the payable. */
const linesPerBill = 5
const linesOfFile = 100_000
const billsOfFile = linesOfFile / linesPerBill
/** The lines of the short file, which shows whether memory grows with the lines. */
const linesOfShortFile = 10_000
const limits = { timesRaw: 1.5, saveMs: 1_200, timesCopy: 2, growthMib: 32, tickMs: 50 }
const rounds = 5
const fileRounds = 5
const memoryRounds = 3
const lookAgainMs = 50
/** The console hears of the end by its live channel and asks nothing meanwhile: asking every 10 ms would take a fifth of the server's time. */
const askAgainMs = 50

const savedReply = z.object({ id: z.number(), bills: z.array(z.object({ id: z.number() })) })
const readReply = z.object({ accounting_batch: z.object({ lock_version: z.number() }) })
const startedReply = z.object({ task_id: z.number() })
const fileReply = z.object({ url: z.string() })

export async function measureBatches(ground: Ground): Promise<Line[]> {
  await codeServices(ground)
  return [...(await linesOfSaves(ground)), ...(await linesOfTicks(ground)), ...(await linesOfFiles(ground))]
}

/** Gives each service of client 1 two ledger accounts. */
async function codeServices({ raw }: Ground): Promise<void> {
  await raw.query(`insert into ledger_accounts (client_id, id, name) select 1, n, 'Account ' || n from generate_series(1, 41) n`)
  await raw.query(`insert into client_ledger_settings (client_id, payable_ledger_account_id) values (1, 41)`)
  await raw.query(`insert into shared_accounts (client_id, service_id, ledger_account_id, share_ratio, position)
    select 1, services.id, 1 + (services.id * 2 + place) % 40, 0.5, place from services cross join generate_series(0, 1) place where services.client_id = 1`)
  await raw.query('vacuum analyze shared_accounts')
}

async function linesOfSaves(ground: Ground): Promise<Line[]> {
  const ids = await freeBills(ground, billsOfSave)
  const ours: number[] = []
  const plain: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    plain.push(await plainSave(ground, ids))
    const began = performance.now()
    const batch = await saved(ground, `Round ${turn}`, ids)
    ours.push(performance.now() - began)
    await remove(ground, batch)
    await ground.raw.query('vacuum bills')
  }
  const [ms, reference] = [spreadOf(ours), spreadOf(plain)]
  return [
    {
      goal: 'P11',
      what: `${billsOfSave.toLocaleString('en')} bills into a new client batch, audited, with the answer`,
      ours: shown(ms),
      reference: `INSERT, UPDATE and trail ${shown(reference)}`,
      ratio: `${round(ms.median / reference.median)} of <= ${limits.timesRaw}, <= ${limits.saveMs} ms`,
      holds: ms.median <= reference.median * limits.timesRaw && ms.median <= limits.saveMs,
    },
  ]
}

/** Clicks on the checkboxes of a batch's bills in a real Chromium. */
async function linesOfTicks(ground: Ground): Promise<Line[]> {
  const batch = await saved(ground, 'Ticks', await freeBills(ground, billsOfSave))
  const [one, all] = await withBrowser(async (browser) => {
    const page = await (await signedIn(browser, ground)).newPage()
    await page.goto(`${ground.product.url}/clients/1/accounting_batches/${batch}/bills`)
    await page.waitForSelector('[data-row="0"] [data-select]', { timeout: waitMs })
    await sleep(settleMs)
    return [await clickMs(page, '[data-row] [data-select]'), await clickMs(page, '[role=columnheader] input[type=checkbox]')]
  })
  await remove(ground, batch)
  const line = (what: string, ms = Number.NaN): Line => ({
    goal: 'P11',
    what,
    ours: `${round(ms)} ms`,
    reference: '',
    ratio: `<= ${limits.tickMs} ms`,
    holds: ms <= limits.tickMs,
  })
  const count = billsOfSave.toLocaleString('en')
  return [line(`${count} bills of a client batch: tick one, with the sum of all`, one), line(`select all ${count} of them`, all)]
}

async function linesOfFiles(ground: Ground): Promise<Line[]> {
  const batch = await saved(ground, 'Upload', await freeBills(ground, billsOfFile))
  await close(ground, batch)
  // Without statistics of the lines that the close has stored, the plan of COPY changes whenever the database happens to take them.
  await ground.raw.query('vacuum analyze gl_lines, bills')
  await uploadOnce(ground, batch)
  await copyOnce(ground, batch)
  const ours: number[] = []
  const copies: number[] = []
  for (let turn = 0; turn < fileRounds; turn += 1) {
    const [copy, file] = [await copyOnce(ground, batch), await uploadOnce(ground, batch)]
    // COPY ends a line with LF alone. In all else it writes the same file.
    const expected = copy.bytes + linesOfFile + 1
    if (file.bytes !== expected) throw new Error(`the upload file has ${file.bytes} bytes, and by COPY it would have ${expected}`)
    copies.push(copy.ms)
    ours.push(file.ms)
  }
  const [ms, reference] = [spreadOf(ours), spreadOf(copies)]
  return [
    {
      goal: 'P11',
      what: `upload file of ${linesOfFile.toLocaleString('en')} lines, call to last byte, read back and compared`,
      ours: shown(ms),
      reference: `COPY ${shown(reference)}`,
      ratio: `${round(ms.median / reference.median)} of <= ${limits.timesCopy}`,
      holds: ms.median <= reference.median * limits.timesCopy,
    },
    await lineOfMemory(ground, batch),
  ]
}

/** The memory in use while the file is written, garbage not counted: what the collector leaves lying says nothing of the lines. */
async function lineOfMemory(ground: Ground, long: number): Promise<Line> {
  const short = await saved(ground, 'Short upload', await freeBills(ground, linesOfShortFile / linesPerBill))
  await close(ground, short)
  await uploadOnce(ground, short, linesOfShortFile)
  const ofLong: number[] = []
  const ofShort: number[] = []
  for (let turn = 0; turn < memoryRounds; turn += 1) {
    ofShort.push(await liveGrowth(ground, () => uploadOnce(ground, short, linesOfShortFile)))
    ofLong.push(await liveGrowth(ground, () => uploadOnce(ground, long)))
  }
  const growth = spreadOf(ofLong)
  return {
    goal: 'P11',
    what: 'server memory in use above before, while it is written, garbage collected every 50 ms',
    ours: shown(growth, 'MiB'),
    reference: `${linesOfShortFile.toLocaleString('en')} lines ${shown(spreadOf(ofShort), 'MiB')}`,
    ratio: `<= ${limits.growthMib} MiB`,
    holds: growth.median <= limits.growthMib,
  }
}

/** Returns the most MiB in use while the work is done, above those in use before. */
async function liveGrowth({ product }: Ground, work: () => Promise<unknown>): Promise<number> {
  const before = await product.liveMib()
  let most = before
  let isOver = false
  const working = work().finally(() => (isOver = true))
  while (!isOver) {
    most = Math.max(most, await product.liveMib())
    await sleep(lookAgainMs)
  }
  await working
  return most - before
}

/** Ids of bills of client 1 that a client batch may take. */
async function freeBills({ raw }: Ground, count: number): Promise<number[]> {
  const { rows } = await raw.query<{ id: number }>(
    `select id from bills where client_id = 1 and accounting_batch_id is null and open_errors = 0 and superseded_by_id is null and not parked order by id limit $1`,
    [count],
  )
  if (rows.length < count) throw new Error(`client 1 has ${rows.length} bills for a batch of ${count}: --bills 100000 has enough`)
  return rows.map(({ id }) => id)
}

async function saved(ground: Ground, code: string, ids: readonly number[]): Promise<number> {
  const answer = savedReply.parse(await send(ground, 'POST', '', { accounting_batch: { batch_code: code, bill_ids: ids } }))
  if (answer.bills.length !== ids.length) throw new Error(`the batch holds ${answer.bills.length} of ${ids.length} bills`)
  return answer.id
}

async function close(ground: Ground, batch: number): Promise<void> {
  const { accounting_batch: read } = readReply.parse(await askJson(addressOf(ground, `/${batch}`), ground.admin))
  await send(ground, 'PATCH', `/${batch}`, { accounting_batch: { closed: true, lock_version: read.lock_version } })
}

async function remove(ground: Ground, batch: number): Promise<void> {
  await send(ground, 'DELETE', `/${batch}`)
}

function addressOf({ product }: Ground, path: string): string {
  return `${product.url}/api/v5/clients/1/accounting_batches${path}`
}

async function send(ground: Ground, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(addressOf(ground, path), {
    method,
    headers: { ...ground.admin, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/** Milliseconds of the minimum of such a save, committed, which is taken back afterwards. */
async function plainSave({ raw }: Ground, ids: readonly number[]): Promise<number> {
  const client = await raw.connect()
  try {
    const began = performance.now()
    await client.query('begin')
    const { rows } = await client.query<{ id: number }>(
      `insert into accounting_batches (client_id, batch_code) values (1, 'Plain') returning id`,
    )
    const batch = rows[0]?.id ?? 0
    await client.query('update bills set accounting_batch_id = $1, updated_at = now() where client_id = 1 and id = any($2::bigint[])', [
      batch,
      ids,
    ])
    await client.query(
      `insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes)
        select 1, 1, 'update', 'bill', id, $1::jsonb from unnest($2::bigint[]) id`,
      [JSON.stringify({ accounting_batch_id: { from: null, to: batch } }), ids],
    )
    await client.query('commit')
    const ms = performance.now() - began
    await client.query('update bills set accounting_batch_id = null where client_id = 1 and accounting_batch_id = $1', [batch])
    await client.query('delete from accounting_batches where client_id = 1 and id = $1', [batch])
    await client.query('vacuum bills')
    return ms
  } finally {
    client.release()
  }
}

interface Written {
  /** From the call to the last byte. */
  readonly ms: number
  readonly bytes: number
}

async function uploadOnce(ground: Ground, batch: number, lines = linesOfFile): Promise<Written> {
  const began = performance.now()
  const { task_id: id } = startedReply.parse(await askJson(addressOf(ground, `/${batch}/generate_upload_file`), ground.admin))
  const rows = await untilDone(ground, id, askAgainMs)
  if (rows !== lines) throw new Error(`the upload file has ${rows} lines`)
  const file = fileReply.parse(await askJson(addressOf(ground, `/${batch}/upload_file`), ground.admin))
  const { bytes } = await ask(new URL(file.url, ground.product.url).href)
  return { ms: performance.now() - began, bytes }
}

async function copyOnce({ raw }: Ground, batch: number): Promise<Written> {
  const client = await raw.connect()
  try {
    const began = performance.now()
    let bytes = 0
    for await (const chunk of client.query(copyTo(copyText(batch)))) bytes += Buffer.isBuffer(chunk) ? chunk.length : 0
    return { ms: performance.now() - began, bytes }
  } finally {
    client.release()
  }
}

/** The same file by one statement: all columns of the generic upload file, from the frozen lines, under the same headings. */
function copyText(batch: number): string {
  return `copy (select row_number() over (order by line.position, line.id) as "Record No", batch.batch_code as "Batch Code",
      (batch.batch_date at time zone 'America/New_York')::date as "Batch Date",
      to_char(batch.batch_date at time zone 'America/New_York', 'YYYYMM') as "Posting Period",
      client.short_code as "Client", division.code as "Division Code", facility.number as "Facility Number",
      coalesce(known.vendor_number, vendor.short_code) as "Vendor Number", vendor.name as "Vendor Name",
      coalesce(bill.invoice_number, bill.account_number || '-' || to_char(bill.date, 'MMDDYY')) as "Invoice Number",
      bill.date as "Invoice Date", bill.due_date as "Due Date", bill.amount_due as "Invoice Amount",
      row_number() over (partition by line.bill_id order by line.position, line.id) as "Line No", line.ledger_account_name as "Ledger Account",
      case when line.amount > 0 then line.amount end as "Debit", case when line.amount < 0 then -line.amount end as "Credit",
      line.description as "Description", bill.account_number as "Account Number", kind.name as "Service", part.usage as "Usage",
      coalesce(unit.symbol, part.raw_unit) as "Unit", bill.id as "Bill ID", file.filename as "Image File Name"
    from gl_lines line join clients client on client.id = 1 join bills bill on bill.client_id = 1 and bill.id = line.bill_id
      join accounting_batches batch on batch.client_id = 1 and batch.id = line.accounting_batch_id
      left join divisions division on division.client_id = 1 and division.id = bill.division_id
      left join facilities facility on facility.client_id = 1 and facility.id = bill.facility_id
      left join vendors vendor on vendor.id = bill.vendor_id
      left join client_vendor_numbers known on known.client_id = 1 and known.vendor_id = bill.vendor_id
      left join bill_files file on file.client_id = 1 and file.bill_id = bill.id and file.position = 1
      left join service_bills part on part.client_id = 1 and part.id = line.service_bill_id
      left join services service on service.client_id = 1 and service.id = part.service_id
      left join utility_services kind on kind.id = service.utility_service_id
      left join units unit on unit.id = part.unit_id
    where line.client_id = 1 and line.accounting_batch_id = ${batch} order by line.position, line.id) to stdout with (format csv, header)`
}
