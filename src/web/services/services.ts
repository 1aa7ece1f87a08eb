/** The public part of an account's services. */
export { ServiceForm, ServiceFormOf } from './service-form.tsx'
export { ServiceTable } from './service-table.tsx'
export { ServiceExportButton } from './service-export-button.tsx'
