/** The available reports, each with the time it was last generated. */
import { useQuery } from '@tanstack/react-query'
import { generatedReport, reportCalls, type Report } from '#contract/reports/generated-report.ts'
import { reportForms, reportNames, wholeClientOnly } from '#contract/reports/report-form.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { editFromDashboardHref, newReportHref, newScheduleHref } from './report-addresses.ts'
import { ReportTabs } from './report-tabs.tsx'
import styles from './reports.module.css'

export function ReportDashboard() {
  const clientId = usePathId('client_id')
  // The forms and the list of generated reports read it too, and each report that is made or deleted changes the last runs.
  const asked = useQuery({ ...apiQuery(reportCalls.list, { params: { client_id: clientId } }), staleTime: 0 })
  return (
    <>
      <ReportTabs clientId={clientId} current="dashboard" />
      <RecordGate asked={asked}>{({ reports }) => <Cards clientId={clientId} reports={reports} />}</RecordGate>
    </>
  )
}

function Cards({ clientId, reports }: { clientId: number; reports: readonly Report[] }) {
  // Reports for the provider's staff are not reports of the client, so other users are not told about them.
  const missing = reportNames.filter((name) => reportForms[name].reach === 'client' && !reports.some((one) => one.name === name))
  return (
    <section className={styles.dashboard} aria-label="Reports">
      <PageHeader title="Reports Dashboard" count={String(reports.length)} />
      {reports.length === 0 ? (
        <EmptyState title="No report can be made">Ask an administrator of your organization for the right to it.</EmptyState>
      ) : (
        <ul className={styles.cards}>
          {reports.map((report) => (
            <Card key={report.id} clientId={clientId} report={report} />
          ))}
        </ul>
      )}
      {missing.map((name) => (
        <p key={name} className={styles.quiet}>
          {wholeClientOnly(name)}
        </p>
      ))}
    </section>
  )
}

function Card({ clientId, report }: { clientId: number; report: Report }) {
  const mayMake = useCan('generated_report.create')
  const type = generatedReport.fields.export_type.choices?.find(({ value }) => value === report.export_type)
  return (
    <li className={styles.card}>
      <h2 className={styles.cardTitle}>
        {mayMake ? <UiLink href={newReportHref(clientId, report.id)}>{report.name}</UiLink> : report.name}
        <span className={styles.type}>{type?.label}</span>
      </h2>
      <p className={styles.text}>{report.description}</p>
      <ul className={styles.items}>
        {report.key_items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <LastRun clientId={clientId} report={report} />
      {mayMake && (
        <p className={styles.quiet}>
          <UiLink href={newScheduleHref(clientId, report.id)}>
            Schedule it<span className="sr-only">: {report.name}</span>
          </UiLink>
        </p>
      )}
    </li>
  )
}

function LastRun({ clientId, report: { id: report_id, name, last_run: last } }: { clientId: number; report: Report }) {
  if (!last) return <p className={styles.quiet}>Not made yet</p>
  return (
    <p className={styles.quiet}>
      Last run <NewYorkTime at={last.created_at} />
      <Can do="generated_report.update">
        {' · '}
        <UiLink href={editFromDashboardHref({ client_id: clientId, report_id, id: last.id })}>
          Open it<span className="sr-only">: the last {name}</span>
        </UiLink>
      </Can>
    </p>
  )
}
