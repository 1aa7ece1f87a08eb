import type { AttachableModel } from '#contract/documents/document.ts'
import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id'
const list = () => import('./document-list.tsx')
const form = () => import('./document-form.tsx')

export const documentRoutes: readonly PageRoute[] = [
  ...pages(
    base,
    'client',
    async () => (await list()).ClientDocuments,
    async () => (await form()).ClientDocument,
  ),
  ...pages(
    `${base}/divisions/:division_id`,
    'division',
    async () => (await list()).DivisionDocuments,
    async () => (await form()).DivisionDocument,
  ),
  ...pages(
    `${base}/facilities/:facility_id`,
    'facility',
    async () => (await list()).FacilityDocuments,
    async () => (await form()).FacilityDocument,
  ),
  ...pages(
    `${base}/billable_accounts/:billable_account_id`,
    'billable_account',
    async () => (await list()).BillableAccountDocuments,
    async () => (await form()).BillableAccountDocument,
  ),
  ...pages(
    `${base}/supply_accounts/:supply_account_id`,
    'supply_account',
    async () => (await list()).SupplyAccountDocuments,
    async () => (await form()).SupplyAccountDocument,
  ),
]

/** The three pages below a record. */
function pages(at: string, model: AttachableModel, listPage: PageRoute['page'], formPage: PageRoute['page']): PageRoute[] {
  return [
    { path: `${at}/documents`, title: 'Documents', may: `${model}.read`, page: listPage },
    { path: `${at}/documents/new`, title: 'New Document', may: `${model}.update`, page: formPage },
    { path: `${at}/documents/:document_id/edit`, title: 'Edit Document', may: `${model}.update`, page: formPage },
  ]
}
