/** Texts of the mails of scheduled reports. */
import { formatDate } from '#contract/kernel/date.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import type { DateRange } from '#contract/reports/report-dates.ts'
import { linkDays, reportFormats, type ReportFormat } from '#contract/reports/report-schedule.ts'
import { now } from '../kernel/clock.ts'
import type { Letter } from '../kernel/work/mail-letter.ts'

const dayMilliseconds = 86_400_000

/** The instant at which the links end. */
export function linkEnd(): Date {
  return new Date(now().getTime() + linkDays * dayMilliseconds)
}

interface Sent {
  readonly name: string
  readonly report: string
  readonly client: string
  readonly range: DateRange
  readonly rows: number
  readonly links: readonly { readonly format: ReportFormat; readonly url: string }[]
}

/** To a subscriber whose report is ready. */
export function scheduledLetter({ name, report, client, range, rows, links }: Sent): Letter {
  const [action, ...more] = links.map(({ format, url }) => ({ label: `Open the ${labelOf(format)} file`, url }))
  const period = rangeText(range)
  return {
    subject: period === '' ? name : `${name}, ${period}`,
    paragraphs: [
      `The ${report} of ${client} is ready: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}${period === '' ? '' : `, ${period}`}.`,
    ],
    ...(action ? { action } : {}),
    more,
    footnote: `The links work for ${linkDays} days, and end when your rights change. Unsubscribe under Reports, Scheduled Reports.`,
  }
}

interface Unreached {
  readonly name: string
  readonly dueAt: string
  readonly people: readonly { readonly subscriber: string; readonly state: string; readonly error: string | null }[]
}

/** To the owner of a report that did not reach all of its subscribers. */
export function unreachedLetter({ name, dueAt, people }: Unreached): Letter {
  return {
    subject: `“${name}” did not reach everybody`,
    paragraphs: [
      `The run of ${formatInstant(dueAt)} has ended.`,
      ...people.map(({ subscriber, state, error }) => `${subscriber}: ${state}. ${error ?? ''}`.trim()),
      'Change the subscribers or send it again under Reports, Scheduled Reports.',
    ],
  }
}

function labelOf(format: ReportFormat): string {
  return reportFormats.find(({ value }) => value === format)?.label ?? format
}

function rangeText({ from, to }: DateRange): string {
  if (from === null && to === null) return ''
  if (from === null) return `to ${formatDate(to)}`
  return to === null ? `from ${formatDate(from)}` : `${formatDate(from)} – ${formatDate(to)}`
}
