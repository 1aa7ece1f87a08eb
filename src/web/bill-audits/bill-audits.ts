/** What other slices use of the audits' settings. */
export { AuditSettingsField } from './audit-settings-field.tsx'
