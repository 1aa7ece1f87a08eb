/** The thresholds of the audits that hold for a client: the product's, the installation's and its own, one over the other. */
import { auditSettingsCalls } from '#contract/audit-settings.ts'
import { auditSettingsPatch, mergeAuditSettings, type AuditSettings, type AuditSettingsPatch } from '#contract/bill-audits.ts'
import { sql } from 'kysely'
import type { Tx } from './kernel/database.ts'
import { handle, type Handler } from './kernel/handler.ts'

export const auditSettingsHandlers: readonly Handler[] = [
  handle(auditSettingsCalls.ofClient, async ({ tx }, { params }) => ({ audit_settings: await settingsOfClient(tx, params.client_id) })),
]

async function settingsOfClient(tx: Tx, clientId: number): Promise<AuditSettings> {
  const { rows } = await sql<{ own: unknown; installation: unknown }>`
    select audit_settings as own, (select value from installation_settings where name = 'audit_settings') as installation
    from clients where id = ${clientId}`.execute(tx)
  return mergeAuditSettings(rows.flatMap(({ own, installation }) => [readable(installation), readable(own)]))
}

/** What a later version no longer knows must stop nobody. */
function readable(stored: unknown): AuditSettingsPatch {
  const settings = auditSettingsPatch.safeParse(stored ?? {})
  return settings.success ? settings.data : {}
}
