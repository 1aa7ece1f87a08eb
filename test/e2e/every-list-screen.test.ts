/** Every grid on every page: its columns can be sorted and filtered, and are written in one format; its pages and its export. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Entity } from '#contract/kernel/entity.ts'
import { pageRoutes } from '../../src/web/routes.ts'
import { contractModules } from '../support/contract-modules.ts'
import { makePerson, type Person } from '../support/app.ts'
import { soon, startConsole } from './console.ts'
import { noticeHistory, type ShownNotice } from './notices-said.ts'
import { addresses, makeSmallEstate, makeWebhook } from './route-estate.ts'
import { walk } from './route-walk.ts'

const underTest = await startConsole()
const { db } = underTest
const MINUTE = 60_000
const built = pageRoutes.filter((page) => !page.bare).map((page) => page.path)
let admin: Person
let address: (path: string) => string

beforeAll(async () => {
  await makeSmallEstate(db)
  await makeWebhook(db)
  admin = await makePerson(db, 'super_admin')
  await sql`insert into mails (to_address, subject, text_body, state) values (${admin.email}, 'Set a new Meterbook password', 'Hello', 'sent')`.execute(
    db,
  )
  address = await addresses(db)
}, 3 * MINUTE)

/** Labels of money amounts, on any list. */
const modules = await contractModules()
const moneyLabels = new Set(
  modules
    .flatMap((module) => Object.values(module))
    .filter(isEntity)
    .flatMap(({ fields }) => Object.values(fields).flatMap(({ kind, label }) => (kind === 'money' ? [label] : []))),
)

function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && 'plural' in value && 'list' in value && 'fields' in value
}

/** Columns that cannot be both sorted and filtered, and why. */
const leftOut: readonly (readonly [RegExp, string])[] = [
  [/ · (File|Last Bill File|Logo)$/, 'a link to a file'],
  [/ · [A-Z][a-z]{2} ’\d\d$/, 'a month of the calendar; its state is a column of its own'],
  [/ · (Services|Payment Methods|Subaccounts|Events)$/, 'several values in one cell'],
  [/ · (Changes|Changed)$/, 'what an act changed, in words'],
  [/ · (Why|What to do)$/, 'follows from the kind, which is a column'],
  [/ · Findings · Days$/, 'counts from the day of the finding, which is a column'],
  [/ · (Token|Bank Details)$/, 'the end of a secret'],
  [/^\/channel_partners · .* · Clients$/, 'several values in one cell'],
  [/\/roles · Roles · /, 'the roles of one person stand on one page'],
  [/ · Statements · (Current Charges|Bill)$/, 'read from the statement itself, which is no table'],
  [/ · Ledger Accounts · Cost Center$/, 'a ledger field of the client, whose columns differ from client to client'],
  [
    /\/(:accounting_batch_id|:payment_batch_id|:vendor_payment_id)\/bills · Bills · /,
    'the bills of one batch stand on one page: one field finds in all of them, and their columns sort',
  ],
  [/\/:accounting_batch_id\/ledger · Ledger accounts · /, 'the ledger accounts of one batch stand on one page, in the order of a ledger'],
  [/\/:accounting_batch_id\/(files|invoice) · (Upload files|Invoices) · /, 'the versions of one file stand on one page, the newest first'],
  [/\/:accounting_batch_id\/invoice · Divisions of the invoice · /, 'the divisions of one invoice stand on one page, in its order'],
  [/ · Export Profiles · Format$/, 'a part of the layout; a client has few profiles'],
  [/ · (Vendor Batches|Global Batches) · Vendors$/, 'several values in one cell'],
  [/ · Selected Bills · /, 'the chosen bills stand on one page: their columns sort'],
  [/ · Batch Bills · /, 'the bills of one batch stand on one page: their columns sort'],
  [/ · Unswept Bills · (PO Box|Banking Identifier)$/, 'the end of a secret; it sorts'],
  [/ · Unswept Bills · Days Due$/, 'counts to the due date, which has a filter; it sorts'],
  [/ · Unswept Bills · Payment Date$/, 'empty while nobody pays the bill; it sorts'],
  [/ · Unswept Bills · Why Unpaid$/, 'typed for the chosen bills and stored with their batch'],
  [/ · Unswept Bills · Bill Id$/, 'a number of ours; bills are found by their account, and it sorts'],
  [/ · Global Batch File History · Created Time$/, 'a part of the instant of the column beside it'],
  [/ · Global Batch File History · Layout$/, 'the version that wrote one file, read beside it'],
  [/ · Global Batch File History · SHA-256$/, 'compared with one file, never looked for'],
  [/ · Budgets · Month$/, 'a month, of which the page of actual costs shows a whole year; it sorts'],
  [/ · Bank Profiles · Incomplete$/, 'what a profile lacks is worked out in code'],
  [/ · Generated Reports · User$/, 'a person in parts; who it is assigned to is a column of its own'],
  [/ · Client Batches · Line Items$/, 'of an open batch it follows from its bills in code'],
  [/ · Client Batches · Upload File$/, 'a link to a file'],
  [/ · Bill Document Repository · User$/, 'a person in parts; who it is assigned to is a column of its own'],
]
/** A size is shown in kB and MB, but a filter would need bytes. An account's standing in a group follows from the filter beside it. */
const sortedOrFilteredAlone = [/ · Documents · Size$/, /\/edit · .* · Standing$/]

interface Shown {
  readonly grid: string
  readonly label: string
  readonly sorts: boolean
  /** Grids that are not lists of the server have no filter row. */
  readonly filters: boolean
  readonly cells: readonly string[]
}

/** Runs in the page. */
function readGrids(): Shown[] {
  return [...document.querySelectorAll('main [role=grid]')].flatMap((grid) => {
    const [head, filters] = [grid.querySelector('[role=row][aria-rowindex="1"]'), grid.querySelector('[role=row][aria-rowindex="2"]')]
    const rows = [...grid.querySelectorAll('[role=row]')].filter((row) => row !== head && row !== filters)
    return [...(head?.querySelectorAll('[role=columnheader]') ?? [])].flatMap((header) => {
      const at = `[role=gridcell][aria-colindex="${header.getAttribute('aria-colindex') ?? ''}"]`
      const label = header.textContent?.replace(/[↑↓]/g, '').trim() ?? ''
      if (label === '' || label === 'Actions') return []
      return [
        {
          grid: grid.getAttribute('aria-label') ?? '',
          label,
          sorts: header.querySelector('button') !== null,
          filters: filters?.querySelector(`${at} :is(input, select, button)`) !== null && filters !== null,
          cells: rows.flatMap((row) => row.querySelector(at)?.textContent ?? []),
        },
      ]
    })
  })
}

test(
  'what a grid shows can be sorted and filtered, or it is named here why not; its figures, money, dates and states are written alike; lists of bills and money begin with ten rows; an export says for 0.8 or 2 seconds that it starts [LIST-RULE-009] [LIST-SCREEN-003] [LIST-FIELD-001] [LIST-CONST-012] [LIST-CONST-014] [LIST-CONST-018] [LIST-MSG-013]',
  async () => {
    const { page, go } = await walk(underTest, admin)
    const faults = new Set<string>()
    const exports: SaidExport[] = []
    const counts = { grids: 0, columns: 0, left_out: 0, cells: 0, pagers: 0, exports: 0 }
    for (const path of built) {
      await go(address(path))
      const shown = await page.evaluate(readGrids)
      counts.grids += new Set(shown.map(({ grid }) => grid)).size
      counts.columns += shown.length
      for (const { grid, label, sorts, filters, cells } of shown) {
        const name = `${path} · ${grid} · ${label}`
        const isLeftOut = leftOut.some(([pattern]) => pattern.test(name))
        if (isLeftOut) counts.left_out++
        const needed = sortedOrFilteredAlone.some((pattern) => pattern.test(name)) ? 1 : 2
        if (!isLeftOut && Number(sorts) + Number(filters) < needed) faults.add(`${name}: sort ${sorts}, filter ${filters}`)
        counts.cells += cells.length
        for (const cell of cells) for (const fault of faultsOf(label, cell)) faults.add(`${name}: ${fault}`)
      }
      const pagers = await page.evaluate(readPagers)
      counts.pagers += pagers.length
      if (shown.some(({ grid, label }) => moneyLabels.has(label) || /Bills|Batch/.test(grid)))
        for (const pager of pagers) if (pager !== 'page 1, 10 of a choice' && !otherSizes.test(path)) faults.add(`${path}: ${pager}`)
      exports.push(...(await startExports(page)))
    }
    counts.exports = exports.length
    expect(exports.length).toBeGreaterThan(30)
    const isStart = ({ title, message, duration }: SaidExport) =>
      (message ?? title).endsWith('export started') && (duration === 0.8 || duration === 2)
    expect(exports.filter((one) => !isStart(one))).toEqual([])
    console.log(
      `every-list-screen: ${Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
    )
    expect([...faults]).toEqual([])
  },
  10 * MINUTE,
)

/** The findings of a bill are twenty to a page. */
const otherSizes = /\/findings$/

/** Runs in the page: 'page 1, 10 of a choice' for each pager. */
function readPagers(): string[] {
  return [...document.querySelectorAll('main nav[aria-label=Pages]')].map((pager) => {
    const [page, size] = [pager.querySelector('input'), pager.querySelector('select')]
    return `page ${page?.value}, ${size ? `${size.value} of ${size.options.length > 1 ? 'a choice' : 'one size'}` : 'a fixed size'}`
  })
}

type SaidExport = ShownNotice & { readonly path: string }

/** Starts each export that the page offers, above its lists and in the menu of a batch, and returns the notices with their seconds. */
async function startExports(page: Page): Promise<SaidExport[]> {
  const main = page.getByRole('main')
  const said: SaidExport[] = []
  // The columns in sight are asked for where they can be; otherwise the export has all of them.
  const menus = await main.getByRole('button', { name: 'Other formats' }).all()
  for (const menu of menus) {
    await menu.click()
    said.push(await started(page, () => page.getByRole('menuitem', { name: 'Columns shown, Excel' }).click()))
  }
  for (const button of menus.length > 0 ? [] : await main.getByRole('button', { name: 'Export', exact: true }).all())
    if (await button.isEnabled()) said.push(await started(page, () => button.click()))
  if (!/\/(accounting|payment)_batches$/.test(page.url())) return said
  await main
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click()
  said.push(await started(page, () => page.getByRole('menuitem', { name: 'Export bills' }).click()))
  return said
}

async function started(page: Page, start: () => Promise<void>): Promise<SaidExport> {
  const since = Date.now()
  await start()
  const path = new URL(page.url()).pathname
  // The file of the export before may be ready meanwhile.
  const heard = async () => (await noticeHistory(page)).find(({ title, at }) => at >= since && !title.endsWith('is ready'))
  await soon(heard).toBeDefined()
  return { title: '', duration: 0, at: since, ...(await heard()), path }
}

function faultsOf(label: string, cell: string): string[] {
  const isNumber = /^−?\$?[\d,]+(\.\d+)?$/.test(cell)
  return [
    ...(/\d{4}-\d\d-\d\d/.test(cell) || /(?<!\d)(\d\/\d|\d\d?\/\d\/|\d\d?\/\d\d?\/\d\d(?!\d))/.test(cell)
      ? [`${cell} holds a date that is not MM/DD/YYYY`]
      : []),
    ...(label === 'Active' && /^(Yes|No)$/.test(cell) ? [`${cell} instead of its word`] : []),
    ...(moneyLabels.has(label) && isNumber && !/^−?\$[\d,]+\.\d\d$/.test(cell) ? [`${cell} is no amount of dollars`] : []),
    ...(!cell.includes('$') && /^−?[\d,]+\.\d*0$/.test(cell) ? [`${cell} ends in idle zeros`] : []),
  ]
}
