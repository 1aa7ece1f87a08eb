/** The thresholds of the audits for the installation or for a client, and how often each rule was right. */
import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { auditSettingsCalls } from '#contract/bill-audits/audit-settings.ts'
import type { AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import { ClientTabs } from '../clients/clients.ts'
import { callApi } from '../kernel/api.ts'
import { usePathId } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AuditSettingsForm, type AuditSettingsFormProps } from './audit-settings-form.tsx'
import { PrecisionTable, type PrecisionTableProps } from './precision-table.tsx'

/** /settings/audits: the settings of every client that does not override them. */
export function InstallationAudits() {
  const asked = useQuery(apiQuery(auditSettingsCalls.get, {}))
  const precision = useQuery(apiQuery(auditSettingsCalls.precision, {}))
  return (
    <AuditsPage
      tabs={<SettingsTabs />}
      about="These thresholds hold for every client that has none of its own."
      asked={asked}
      precision={precision}
      mayChange={useCan('setting.update')}
      attempt={(audit_settings) => callApi(auditSettingsCalls.try, { body: { audit_settings } })}
      save={(audit_settings) => callApi(auditSettingsCalls.save, { body: { audit_settings } })}
    />
  )
}

/** /clients/:client_id/audits: the overrides of this client. */
export function ClientAudits() {
  const params = { client_id: usePathId('client_id') }
  const asked = useQuery(apiQuery(auditSettingsCalls.ofClient, { params }))
  const precision = useQuery(apiQuery(auditSettingsCalls.precisionOfClient, { params }))
  return (
    <AuditsPage
      tabs={<ClientTabs clientId={params.client_id} />}
      about="These thresholds hold for the bills of this client, unless an account or a service has its own."
      asked={asked}
      precision={precision}
      mayChange={useCan('client.update')}
      attempt={(audit_settings) => callApi(auditSettingsCalls.tryOfClient, { params, body: { audit_settings } })}
      save={(audit_settings) => callApi(auditSettingsCalls.saveOfClient, { params, body: { audit_settings } })}
    />
  )
}

interface AuditsPageProps extends Pick<AuditSettingsFormProps, 'mayChange' | 'attempt' | 'save'> {
  readonly tabs: ReactNode
  readonly about: string
  readonly asked: {
    data:
      | (Pick<AuditSettingsFormProps, 'inherited'> & { own: AuditSettingsPatch; audit_settings: PrecisionTableProps['settings'] })
      | undefined
    error: Error | null
    refetch: () => unknown
  }
  readonly precision: { data: Pick<PrecisionTableProps, 'rules'> | undefined; error: Error | null; refetch: () => unknown }
}

function AuditsPage({ tabs, about, asked, precision, ...form }: AuditsPageProps) {
  // The form waits for the table above it, so that nothing moves once the user begins to type.
  const isCounted = precision.data !== undefined || precision.error !== null
  return (
    <>
      {tabs}
      <PageHeader title="Audits" />
      <RecordGate asked={asked}>
        {({ own, inherited, audit_settings }) => (
          <>
            <RecordGate asked={precision}>{({ rules }) => <PrecisionTable rules={rules} settings={audit_settings} />}</RecordGate>
            {/* Another user's save restarts the form, because typed values are compared with the stored ones. */}
            {isCounted && <AuditSettingsForm key={JSON.stringify(own)} about={about} stored={own} inherited={inherited} {...form} />}
          </>
        )}
      </RecordGate>
    </>
  )
}
