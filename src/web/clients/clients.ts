/** The public part of clients. */
export { ClientTabs } from './client-header.tsx'
export { LogoField } from './logo-field.tsx'
export { logoIsThere } from './logo-upload.ts'
export { LogoLink } from './logo-link.tsx'
