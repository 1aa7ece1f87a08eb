/** The public part of the audit settings. */
export { AuditSettingsField } from './audit-settings-field.tsx'
