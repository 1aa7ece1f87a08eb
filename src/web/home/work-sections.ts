/** The sections of the home page in their order. A section that the reader has no right to is absent. */
import type { Home } from '#contract/home/home.ts'
import { withSearch } from '../kernel/navigation.tsx'
import { figureText } from '../ui/status.tsx'
import { countText } from '../ui/count-text.ts'
import { approvalWork, exceptionWork, findingWork, inboxWork, releaseWork, reportWork, type WorkRow } from './work-rows.tsx'

export interface WorkSection {
  readonly key: 'exceptions' | 'findings' | 'inbox' | 'approvals' | 'releases' | 'reports'
  readonly title: string
  readonly count: string
  /** What the count comes to. */
  readonly sum: string
  readonly rows: readonly WorkRow[]
  /** The heading of the last figure of a row. */
  readonly sinceLabel: string
  /** The whole list, where there is one. */
  readonly all: { readonly label: string; readonly href: string } | null
  readonly empty: string
}

interface WorkScope {
  /** Undefined over all clients. */
  readonly clientId: number | undefined
  readonly create: boolean
}

export function sectionsOf(home: Home, scope: WorkScope): WorkSection[] {
  return [
    exceptions(home, scope),
    findings(home, scope),
    inbox(home, scope),
    approvals(home, scope),
    releases(home),
    reports(home, scope),
  ].flatMap((section) => section ?? [])
}

/** Returns the whole list of a client; over all clients there is none. */
function ofClient({ clientId }: WorkScope, label: string, path: string): WorkSection['all'] {
  return clientId === undefined ? null : { label, href: `/clients/${clientId}/${path}` }
}

function exceptions({ exceptions: found }: Home, { clientId, create }: WorkScope): WorkSection | null {
  return (
    found && {
      key: 'exceptions',
      title: 'What cannot wait',
      count: found.count.toLocaleString('en-US'),
      sum: `${figureText(found.cost, 2, true)} at stake`,
      rows: found.rows.map((row) => exceptionWork(row, { create })),
      sinceLabel: 'Late Cost',
      all: {
        label: clientId === undefined ? 'Exceptions of all clients' : 'All exceptions',
        href: clientId === undefined ? '/alerts' : `/clients/${clientId}/alerts/exceptions`,
      },
      empty: 'Nothing waits: no bill is late or will be within a week, none has errors, and every bill that should be here is here.',
    }
  )
}

function findings({ findings: rows, user_id }: Home, { clientId }: WorkScope): WorkSection | null {
  const list = clientId === undefined ? '/bills/findings' : `/clients/${clientId}/bills/findings`
  return (
    rows && {
      key: 'findings',
      title: 'My findings',
      count: countText(rows.length),
      sum: 'assigned to you',
      rows: rows.map(findingWork),
      sinceLabel: 'Found',
      all: { label: 'All my findings', href: withSearch(list, { state: 'open', assigned_to: user_id }) },
      empty: 'No open finding is assigned to you.',
    }
  )
}

function inbox({ inbox: rows }: Home, scope: WorkScope): WorkSection | null {
  return (
    rows && {
      key: 'inbox',
      title: 'Inbox',
      count: countText(rows.length),
      sum: 'to be entered',
      rows: rows.map(inboxWork),
      sinceLabel: 'Came',
      all: ofClient(scope, 'The whole inbox', 'bills/inbox'),
      empty: 'No document that was read and no retrieved statement waits to become a bill.',
    }
  )
}

function approvals({ approvals: rows }: Home, scope: WorkScope): WorkSection | null {
  return (
    rows && {
      key: 'approvals',
      title: 'Approvals',
      count: countText(rows.length),
      sum: 'that you may decide',
      rows: rows.map(approvalWork),
      sinceLabel: 'Asked',
      all: ofClient(scope, 'All vendor batches', 'payment_batches'),
      empty: 'No vendor batch waits for your approval.',
    }
  )
}

function releases({ releases: rows }: Home): WorkSection | null {
  return (
    rows && {
      key: 'releases',
      title: 'Releases',
      count: countText(rows.length),
      sum: 'that you may decide',
      rows: rows.map(releaseWork),
      sinceLabel: 'Asked',
      all: { label: 'All releases', href: '/global_batch/releases' },
      empty: 'No export waits for your release.',
    }
  )
}

function reports({ reports: rows }: Home, scope: WorkScope): WorkSection | null {
  return (
    rows && {
      key: 'reports',
      title: 'Reports',
      count: countText(rows.length),
      sum: 'since your last sign-in',
      rows: rows.map(reportWork),
      sinceLabel: 'Ended',
      all: ofClient(scope, 'All generated reports', 'reports/generated-reports'),
      empty: 'No report of yours has ended since your last sign-in.',
    }
  )
}
