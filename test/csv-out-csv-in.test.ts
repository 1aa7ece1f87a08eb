/**
 * CSV export and import match for every kind of import of the contract: an import accepts what the exports of its kind write, importing an
 * exported file changes nothing, one changed cell changes one record, and a file imported into an empty client recreates everything.
 */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { importKindNames, importKinds, type ImportKindName } from '#contract/imports/import.ts'
import { importFileCalls } from '#contract/imports/import-calls.ts'
import { clientKind, type ImportColumn } from '#contract/kernel/import.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import { makeClient } from './support/estate.ts'
import { cellsOf, fileOf, meaning, saidOtherwise, withKey, withoutIds, type Headers, type Row } from './support/csv-files.ts'
import { exportedText } from './support/exports.ts'
import { importsOf } from './support/import-files.ts'
import { billedServices, billsAsKnown, billsFile, manyMeters, variedBills } from './support/csv-bills.ts'
import { candidatesOf, variedCell, type NamesOf } from './support/varied-cells.ts'
import { exportsOfKind, exportsWithoutImport, heldBack, notChangedAlone, ownCell, groupRows, type KnownNames } from './support/csv-kinds.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows: rowsOf } = importsOf(testApp)
const count = 60
let staff: Person
let from: number
let to: number
const counted = { kinds: 0, exports: 0, rows: 0, fields: 0 }

/** Kinds in an order in which each finds the records that its rows name. */
const order: readonly ImportKindName[] = [
  'vendor',
  'client',
  'ledger_field',
  'ledger_account',
  'division',
  'facility',
  'billableAccount',
  'supplyAccount',
  'clientVendorNumber',
  'budget',
  'degreeDay',
  'bills',
]

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  from = await makeClient(db)
  to = await makeClient(db)
  await sql`insert into channel_partners (name) values ('=Partner, "One"'), ('Partner; Two')`.execute(db)
  await sql`insert into weather_stations (code, name) values ('=K1, "a"', 'One'), ('K;2', 'Two')`.execute(db)
  await sql`insert into production_units (name) values ('=Tons; "net"'), ('Beds, occupied')`.execute(db)
  await sql`insert into batch_groups (client_id, name) select client, name from unnest(array[${from}, ${to}]::bigint[]) client, unnest(array['-North', 'South; "East"']) name`.execute(
    db,
  )
})

describe('CSV out is CSV in', () => {
  it('ranges over every kind of import and every export', () => {
    expect(order.toSorted()).toEqual(importKindNames.toSorted())
    const paired = importKindNames.flatMap((kind) => exportsOfKind[kind])
    const named = [...paired, ...Object.keys(exportsWithoutImport)]
    const exports = calls
      .filter(({ name, path }) => /(\.|_)export(_all)?$/.test(name) || path.endsWith('export_csv'))
      .map(({ name }) => name)
    expect(named.toSorted()).toEqual(exports.toSorted())
    console.info(
      `Exports without an import:\n${Object.entries(exportsWithoutImport)
        .map(([name, why]) => `  ${name}: ${why}`)
        .join('\n')}`,
    )
  })

  for (const kind of order.filter((one) => one !== 'bills'))
    it(
      `${importKinds[kind].labels}: out and in again is unchanged, one cell is one record, and an empty place takes the whole`,
      { timeout: 120_000 },
      async () => {
        const columns = await columnsOf(kind, from)
        const sent = await variedRows(kind, columns)
        const brought = await send(
          staff,
          importPath(kind, from),
          fileOf(
            columns.map(({ name }) => name),
            sent,
          ),
          { mode: 'all' },
        )
        expect({ state: brought.state, refused: await faultsOf(brought.id) }).toEqual({ state: 'committed', refused: [] })

        const files = await exportedFiles(kind, from)
        const held = new Set<string>()
        for (const file of files) {
          const check = await send(staff, importPath(kind, from), file, { mode: 'dry_run' })
          const { create, update, refused } = check.counts
          const strange = (await rowsOf(staff, check.id)).filter(
            ({ action, part_action: part }) => action !== 'unchanged' || (part ?? 'unchanged') !== 'unchanged',
          )
          expect({
            create,
            update,
            refused,
            strange: strange.slice(0, 3),
            warnings: check.warnings.filter((said) => !said.startsWith('The file lacks')),
          }).toEqual({
            create: 0,
            update: 0,
            refused: 0,
            strange: [],
            warnings: [],
          })
          expect(check.counts.unchanged).toBeGreaterThanOrEqual(count - groupRows)
          for (const { column } of check.headers) if (column !== null) held.add(column)
          expect(saidOtherwise(columns, sent, file, check.headers)).toEqual([])
          await changeOneCell(kind, columns, file, check.headers)
          counted.exports += 1
          counted.rows += check.counts.rows
        }
        expect(columns.map(({ name }) => name).filter((name) => !held.has(name) && !(name in heldBack))).toEqual([])
        counted.kinds += 1
        counted.fields += columns.length
        await copyElsewhere(kind, files, columns)
      },
    )

  it('Bills: a file with lines goes into another client and comes out of it the same', { timeout: 240_000 }, async () => {
    await addServicesOfMany([from, to])
    const sent = variedBills(await billedServices(db, from), count)
    const brought = await send(staff, importPath('bills', from), billsFile(sent), { mode: 'all' })
    expect({ state: brought.state, refused: await faultsOf(brought.id) }).toEqual({ state: 'committed', refused: [] })
    const [file = ''] = await exportedFiles('bills', from)

    // Existing bills are refused with their number, and nothing else is: a file of bills creates bills and changes none.
    const check = await send(staff, importPath('bills', from), file, { mode: 'dry_run' })
    const made = (await billsAsKnown(db, from)).length
    expect({ warnings: check.warnings, create: check.counts.create, update: check.counts.update }).toEqual({
      warnings: [],
      create: 0,
      update: 0,
    })
    const repeated = (await rowsOf(staff, check.id)).flatMap(({ repeats_id: id }) => id ?? [])
    expect(new Set(repeated).size).toBe(made)
    expect(saidOtherwise(importKinds.bills.columns, sent, file, check.headers)).toEqual([])
    const known = check.headers.flatMap(({ column }) => column ?? [])
    expect(importKinds.bills.columns.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])

    // Another amount makes another bill: only that row creates one.
    const changed = cellsOf(file, check.headers).map((row, at) =>
      at === 5 ? { ...row, current_charges: '77.77', amount_due: '77.77' } : row,
    )
    const further = await send(staff, importPath('bills', from), fileOf(known, changed), { mode: 'dry_run' })
    const creates = (await rowsOf(staff, further.id)).flatMap(({ action, cells }) => (action === 'create' ? [cells['amount_due']] : []))
    expect(creates).toEqual(['77.77'])

    const copied = await send(staff, importPath('bills', to), file, { mode: 'all' })
    expect({ state: copied.state, refused: await faultsOf(copied.id) }).toEqual({ state: 'committed', refused: [] })
    const [copy] = await exportedFiles('bills', to)
    expect(copy).toBe(file)
    expect(await billsAsKnown(db, to)).toEqual(await billsAsKnown(db, from))
    counted.kinds += 1
    counted.exports += 1
    counted.rows += check.counts.rows
    counted.fields += known.length
  })

  it('counts what it ranged over', () => {
    console.info(
      `CSV out is CSV in: ${counted.kinds} imports x ${counted.exports} exports, ${counted.rows} rows, ${counted.fields} columns`,
    )
    expect(counted).toMatchObject({ kinds: importKindNames.length, exports: importKindNames.flatMap((kind) => exportsOfKind[kind]).length })
  })
})

/** Returns the columns of the kind as they are in the client's files. */
async function columnsOf(kind: ImportKindName, client: number): Promise<readonly ImportColumn[]> {
  const { clientColumns } = importKinds[kind]
  if (!clientColumns) return importKinds[kind].columns
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, name from ledger_fields where client_id = ${client} order by "order", id`.execute(db)
  return clientKind(importKinds[kind], rows).columns
}

async function variedRows(kind: ImportKindName, columns: readonly ImportColumn[]): Promise<Row[]> {
  const names = await namesOf()
  const candidates = new Map(columns.map((column) => [column.name, candidatesOf(column, names.of)]))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(
      columns.map((column, at) => {
        const isPart = column.part === true && row < 2
        const own = isPart || column.field.kind === 'secret' ? '' : ownCell(kind, column.name, row, names.known)
        const place = { row, column: at, isKey: importKinds[kind].key.includes(column.name) }
        return [column.name, own ?? variedCell(column, candidates.get(column.name) ?? [], place)]
      }),
    ),
  )
}

async function namesOf(): Promise<{ of: NamesOf; known: KnownNames }> {
  const names = new Map<string, string[]>()
  const references = importKindNames.flatMap((kind) => importKinds[kind].columns.flatMap(({ reference }) => reference ?? []))
  for (const { refers, by } of references) {
    const ofClient = ['batch_groups', 'divisions', 'facilities', 'ledger_accounts'].includes(refers)
      ? sql`where client_id = ${from}`
      : sql``
    const { rows } = await sql<{
      name: string
    }>`select ${sql.ref(by)} as name from ${sql.table(refers)} ${ofClient} order by id limit ${count}`.execute(db)
    names.set(
      refers,
      rows.map(({ name }) => name),
    )
  }
  const { rows: meters } = await sql<{ number: string; meter: string }>`select account_number as number, meter_number as meter from services
    join billable_accounts account on account.client_id = services.client_id and account.id = services.billable_account_id where services.client_id = ${from} order by services.id`.execute(
    db,
  )
  return { of: ({ reference }) => names.get(reference?.refers ?? '') ?? [], known: { ledgers: names.get('ledger_accounts') ?? [], meters } }
}

function importPath(kind: ImportKindName, client: number): string {
  return importFileCalls[kind].path.replace(':client_id', String(client))
}

async function faultsOf(id: number): Promise<unknown[]> {
  return (await rowsOf(staff, id, 'per=20')).flatMap(({ line, errors }) =>
    errors.map(({ column, message }) => `${line} ${column ?? ''}: ${message}`),
  )
}

async function exportedFiles(kind: ImportKindName, client: number): Promise<string[]> {
  const files: string[] = []
  for (const name of exportsOfKind[kind]) {
    const path = calls.find((call) => call.name === name)?.path.replace(':client_id', String(client)) ?? ''
    const started = await ask(staff, 'GET', `${path}?connection_id=${name}-${counted.exports}-${files.length}-${Math.random()}`)
    expect(started.status, started.text).toBe(200)
    files.push(await exportedText(testApp, staff, started.body['task_id']))
  }
  return files
}

/** Changes one cell per column, each in a row of its own: exactly these rows change, each in exactly that column. */
async function changeOneCell(kind: ImportKindName, columns: readonly ImportColumn[], file: string, headers: Headers): Promise<void> {
  const { of, known } = await namesOf()
  const cells = cellsOf(file, headers)
  const partKey = importKinds[kind].part?.key
  const isPartFile = headers.some(({ column }) => column === partKey)
  const free = columns.filter(
    ({ name, part }) =>
      headers.some(({ column }) => column === name) &&
      Boolean(part) === isPartFile &&
      ![...importKinds[kind].key, partKey, ...notChangedAlone].includes(name),
  )
  const wanted = free.map((column, at) => {
    const row = at + 3
    const present = cells[row]?.[column.name] ?? ''
    const own = Array.from({ length: 6 }, (_, other) => ownCell(kind, column.name, 10 * count + other, known) ?? '')
    const cell = [...own, ...candidatesOf(column, of)].find((one) => one !== '' && meaning(column, one) !== meaning(column, present))
    expect(cell, `${kind} ${column.name} has another value`).toBeDefined()
    return { row, column: column.name, cell: cell ?? '' }
  })
  const changed = cells.map((row, at) => ({
    ...row,
    ...Object.fromEntries(wanted.filter((one) => one.row === at).map(({ column, cell }) => [column, cell])),
  }))
  const names = columns.map(({ name }) => name).filter((name) => headers.some(({ column }) => column === name))
  const check = await send(staff, importPath(kind, from), fileOf(names, changed), { mode: 'dry_run' })
  const said = (await rowsOf(staff, check.id))
    .toSorted((a, b) => a.line - b.line)
    .flatMap(({ action, part_action: part, changes, errors }, row) =>
      action === 'unchanged' && (part ?? 'unchanged') === 'unchanged'
        ? []
        : [{ row, columns: Object.keys(changes), errors: errors.map(({ message }) => message) }],
    )
  expect(said).toEqual(wanted.map(({ row, column }) => ({ row, columns: [column], errors: [] })))
}

/** Imports into an empty client, or under unused keys: the copy must be exported like the original, except for ids. */
async function copyElsewhere(kind: ImportKindName, files: readonly string[], columns: readonly ImportColumn[]): Promise<void> {
  const isShared = !importFileCalls[kind].path.includes(':client_id')
  // The stations of degree days must be there, so that other days are named instead.
  const [at, another] =
    kind === 'degreeDay' ? [1, (cell: string) => cell.replace(/^20/, '19')] : [0, (cell: string) => `X${cell.replace(/^'/, '')}`]
  const key = importKinds[kind].columns[at]?.field.label ?? ''
  const renamed = isShared ? files.map((file) => withKey(file, key, another)) : files
  for (const file of renamed) {
    const copied = await send(staff, importPath(kind, to), file, { mode: 'all' })
    expect({ state: copied.state, refused: await faultsOf(copied.id) }).toEqual({ state: 'committed', refused: [] })
  }
  const copies = await exportedFiles(kind, to)
  for (const [place, copy] of copies.entries()) {
    // Values derived from a renamed key change as well.
    const known = isShared ? columns.flatMap(({ name, field }) => [name, field.label]) : null
    const wanted = withoutIds(renamed[place] ?? '', known)
    const got = withoutIds(copy, known)
    const lost = wanted.filter((row) => !got.includes(row))
    const others = got.filter((row) => !wanted.includes(row))
    expect({ lost: lost.slice(0, 2), others: isShared ? [] : others.slice(0, 2) }).toEqual({ lost: [], others: [] })
  }
}

/** An account with five meters, some of which differ only by their names. */
async function addServicesOfMany(clients: readonly number[]): Promise<void> {
  for (const client of clients) {
    const sent = await send(staff, importPath('billableAccount', client), manyMeters, { mode: 'all' })
    expect({ state: sent.state, refused: await faultsOf(sent.id) }).toEqual({ state: 'committed', refused: [] })
  }
}
