/** The rows of each section of the home page: what it is, whose, why it waits, how much it is, since when, and the one act. */
import type { ReactNode } from 'react'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import type { ExceptionRow } from '#contract/exceptions/exception.ts'
import type { HomeApproval, HomeFinding, HomeInboxItem, HomeRelease, HomeReport } from '#contract/home/home.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { SeverityMark } from '../bill-findings/bill-findings.ts'
import { entryHref, splitHref } from '../bill-scans/bill-scans.ts'
import { accountHref, exceptionLabel, exceptionLooks, reckoningOf, todoOf, whyOf } from '../exceptions/exceptions.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { StatusDot } from '../ui/status.tsx'

export interface WorkRow {
  readonly key: string
  readonly what: ReactNode
  readonly client: string
  readonly where: { readonly label: string; readonly href?: string }
  readonly under: string
  readonly why: string
  readonly amount: string | null
  /** The late cost, or the day since which it waits. */
  readonly since: ReactNode
  readonly act: { readonly label: string; readonly href: string }
}

export function exceptionWork(row: ExceptionRow, may: { readonly create: boolean }): WorkRow {
  return {
    key: `exception ${row.id}`,
    what: <StatusDot {...exceptionLooks[row.kind]}>{exceptionLabel(row.kind)}</StatusDot>,
    client: row.client_name,
    where: { label: row.account_number, href: accountHref(row) },
    under: together([row.vendor_name, row.facility_name]),
    why: whyOf(row),
    amount: row.amount,
    since: row.amount === null ? 'not known' : <span title={reckoningOf(row)}>{formatMoney(row.cost)}</span>,
    act: todoOf(row, may),
  }
}

export function findingWork(row: HomeFinding): WorkRow {
  const href = `/clients/${row.client_id}/bills/${row.bill_id}`
  return {
    key: `finding ${row.id}`,
    what: <SeverityMark severity={row.severity} />,
    client: row.client_name,
    where: { label: row.account_number, href },
    under: row.vendor_name ?? '',
    why: `${auditName(row.code)}: ${row.message}`,
    amount: row.amount_due,
    since: <NewYorkTime at={row.created_at} show="near" />,
    act: { label: 'Settle finding', href },
  }
}

export function inboxWork(row: HomeInboxItem): WorkRow {
  return row.kind === 'document' ? documentWork(row) : statementWork(row)
}

function documentWork(row: HomeInboxItem): WorkRow {
  const { client_id: clientId, id } = row
  const isStack = row.state === 'read' && row.bills_inside > 1
  const due = row.due_date === null ? 'no due date was read' : `due ${formatDate(row.due_date)}`
  return {
    key: `document ${id}`,
    what: (
      <StatusDot tone={row.state === 'failed' ? 'bad' : 'ok'} shape={row.state === 'failed' ? 'triangle' : 'dot'}>
        {row.state === 'failed' ? 'Not read' : 'Read'}
      </StatusDot>
    ),
    client: row.client_name,
    where: { label: row.account_number ?? row.name ?? `Document ${id}` },
    under: together([row.vendor_name, row.account_number === null ? null : row.name]),
    why: isStack ? `${row.bills_inside} bills in one document, ${due}` : `To be entered, ${due}`,
    amount: row.amount_due,
    since: <NewYorkTime at={row.since} show="near" />,
    act: isStack ? { label: 'Split', href: splitHref(clientId, id, '') } : { label: 'Enter bill', href: entryHref(clientId, id, '') },
  }
}

const statementWords: Readonly<Record<string, string>> = {
  matched: 'Their accounts are known; they are not imported yet',
  needs_account: 'Their accounts are not known here',
  needs_meter: 'Meters of them are not known here',
}

function statementWork(row: HomeInboxItem): WorkRow {
  const due = row.due_date === null ? '' : `; the first is due ${formatDate(row.due_date)}`
  return {
    key: `statements ${row.client_id} ${row.state}`,
    what: (
      <StatusDot tone={row.state === 'matched' ? 'info' : 'warn'} shape="ring">
        Retrieved
      </StatusDot>
    ),
    client: row.client_name,
    where: { label: counted(row.count, 'statement') },
    under: '',
    why: `${statementWords[row.state] ?? row.state}${due}`,
    amount: row.amount_due,
    since: <NewYorkTime at={row.since} show="near" />,
    act: { label: 'Import bills', href: `/clients/${row.client_id}/bills/import?state=${row.state}` },
  }
}

export function approvalWork(row: HomeApproval): WorkRow {
  const href = `/clients/${row.client_id}/payment_batches/${row.id}/approval`
  return {
    key: `approval ${row.id}`,
    what: (
      <StatusDot tone={row.held ? 'info' : 'warn'} shape="ring">
        {row.held ? 'Question open' : 'Approval'}
      </StatusDot>
    ),
    client: row.client_name,
    where: { label: `Vendor batch ${row.id}`, href },
    under: together([row.payer_name === row.client_name ? null : row.payer_name, counted(row.bill_count, 'bill')]),
    why: askedText(`Step ${row.step_name}`, row.requested_by_name),
    amount: row.total,
    since: <NewYorkTime at={row.requested_at} show="near" />,
    act: { label: 'Decide', href },
  }
}

export function releaseWork(row: HomeRelease): WorkRow {
  const href = `/global_batch/releases/${row.id}`
  return {
    key: `release ${row.id}`,
    what: (
      <StatusDot tone="warn" shape="lock">
        Release
      </StatusDot>
    ),
    client: row.payer_names,
    where: { label: `Export ${row.id}`, href },
    under: `${row.pay_method}, ${counted(row.payment_count, 'payment')}`,
    why: askedText('It waits for a second person', row.requested_by_name),
    amount: row.total,
    since: <NewYorkTime at={row.requested_at} show="near" />,
    act: { label: 'Decide', href },
  }
}

export function reportWork(row: HomeReport): WorkRow {
  const isDone = row.state === 'done'
  const href = `/clients/${row.client_id}/reports/generated-reports?id=${row.id}`
  return {
    key: `report ${row.id}`,
    what: (
      <StatusDot tone={isDone ? 'ok' : 'bad'} shape={isDone ? 'dot' : 'triangle'}>
        {isDone ? 'Ready' : 'Failed'}
      </StatusDot>
    ),
    client: row.client_name,
    where: { label: row.name ?? row.report, ...(row.file_url === null ? {} : { href: row.file_url }) },
    under: row.name === null ? '' : row.report,
    why: isDone ? 'Its files can be fetched' : (row.error ?? 'It was not made'),
    amount: null,
    since: <NewYorkTime at={row.finished_at} show="near" />,
    act: { label: isDone ? 'Open report' : 'Look into it', href },
  }
}

function askedText(what: string, by: string | null): string {
  return by === null ? what : `${what}; ${by} asked`
}

function together(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ')
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`
}
