/** The export profiles of a client: the format of the upload file that its ledger expects. Without a chosen profile, the default one is used. */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { boolean, choice, defaulted, derived, entity, helped, instant, list, ref, text, type Draft, type Row } from '../kernel/entity.ts'
import { layoutKinds, uploadLayout } from './upload-layout.ts'

/** Maximum profiles of one client. */
export const exportProfilesMax = 50

export const exportProfile = entity(
  'export_profile',
  'export_profiles',
  {
    name: text('Name', 100),
    kind: derived(choice('Format', layoutKinds)),
    is_default: helped(defaulted(boolean('Default'), false), 'Upload files are written by it unless another is chosen. A client has one.'),
    layout: list('Layout', uploadLayout),
    created_at: derived(instant('Created')),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id', 'name', 'is_default', 'created_at'], sort: ['name', 'is_default', 'created_at', 'id'], defaultSort: 'name asc' },
)
export type ExportProfile = Row<typeof exportProfile>
export type ExportProfileDraft = Draft<typeof exportProfile>

const path = '/clients/:client_id/export_profiles'

/** The right to make batch files covers reading the profiles; the right to change ledger settings covers changing them. */
export const exportProfileCalls = {
  ...crudCalls(exportProfile, path, {
    read: 'accounting_batch.read',
    create: 'ledger_account.create',
    update: 'ledger_account.update',
    destroy: 'ledger_account.destroy',
  }),
  selectOptions: optionsCall(
    'export_profiles',
    `${path}/select_options`,
    'accounting_batch.read',
    z.object({ id: z.int(), name: z.string(), is_default: z.boolean() }),
  ),
}
