/** The thresholds of the audits as they hold for a client, which its accounts and services may overwrite. */
import { auditSettingsSchema } from './bill-audits/settings.ts'
import { call, oneReply } from './kernel/call.ts'

export const auditSettingsCalls = {
  ofClient: call({
    name: 'audit_settings.of_client',
    method: 'GET',
    path: '/clients/:client_id/audit_settings',
    may: 'client.read',
    summary: 'The thresholds that bills of a client are checked by, before accounts and services overwrite them',
    reply: oneReply('audit_settings', auditSettingsSchema),
  }),
}
