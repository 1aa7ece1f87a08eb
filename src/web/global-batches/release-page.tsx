/** One export that waits for a second person: what it pays, why it waits, and the acts of whoever reads it. Also laid out for phones. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { exportReleaseCalls, type ReleaseDetail } from '#contract/global-batches/export-release.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import { batchBillsHref, DeskTabs, releasesHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { ReleaseActs } from './release-acts.tsx'
import { ReleaseState } from './release-state.tsx'
import { counted } from './words.ts'

export function ReleasePage() {
  const asked = useQuery(apiQuery(exportReleaseCalls.get, { params: { id: usePathId('release_id') } }))
  return <RecordGate asked={asked}>{({ export_release: release }) => <Release key={release.id} release={release} />}</RecordGate>
}

function Release({ release }: { release: ReleaseDetail }) {
  return (
    <section className={styles.page} aria-label="Release">
      <Breadcrumbs items={[{ label: 'Releases', href: releasesHref }, { label: `Release ${release.id}` }]} />
      <PageHeader
        title={`${formatMoney(release.total)} · ${release.payer_names}`}
        count={`${release.pay_method} · ${counted(release.payment_count, 'payment')} · ${counted(release.batch_count, 'batch', 'batches')}`}
      />
      <DeskTabs tab="releases" />
      <Facts release={release} />
      {release.changed !== null && (
        <p className={styles.over} role="status">
          {`${release.changed} A release finds this request void; the export has to be asked for again.`}
        </p>
      )}
      {release.state === 'waiting' && <ReleaseActs release={release} />}
      <Batches batches={release.batches} />
    </section>
  )
}

function Facts({ release }: { release: ReleaseDetail }) {
  const { state, reasons, requested_by_name, requested_at, decided_by_name, decided_at, note, files } = release
  return (
    <dl className={styles.facts}>
      <Fact label="State">
        <ReleaseState state={state} />
      </Fact>
      <Fact label="Why it waits">
        {reasons.split('; ').map((reason) => (
          <div key={reason}>{reason}</div>
        ))}
      </Fact>
      <Fact label="Asked by">
        {requested_by_name}, <NewYorkTime at={requested_at} />
      </Fact>
      {decided_by_name !== null && decided_at !== null && (
        <Fact label="Decided by">
          {decided_by_name}, <NewYorkTime at={decided_at} />
        </Fact>
      )}
      {note !== null && <Fact label="Note">{note}</Fact>}
      {files.length > 0 && (
        <Fact label="Files">
          {files.map((file) => (
            <div key={file.id}>
              <UiLink href={file.batch_file_url}>{file.file_name}</UiLink>
            </div>
          ))}
        </Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Batches({ batches }: Pick<ReleaseDetail, 'batches'>) {
  return (
    <div className={plain.scroll}>
      <table className={plain.table} aria-label="Batches of the release">
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col">Payer</th>
            <th scope="col" className={plain.figure}>
              Bills
            </th>
            <th scope="col" className={plain.figure}>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <tr key={batch.id}>
              <th scope="row">
                <UiLink href={batchBillsHref(batch.id)}>{`Batch ${batch.id}`}</UiLink>
              </th>
              <td className={plain.text}>{batch.payer_name}</td>
              <td className={`${plain.figure} num`}>{batch.bill_count.toLocaleString('en-US')}</td>
              <td className={`${plain.figure} num`}>{formatMoney(batch.batch_total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
