/** A facility type: the use of a building. Any signed-in user may choose from the list, provider staff changes it. */
import { z } from 'zod'
import { crudCalls, optionsCall } from '../kernel/call.ts'
import { entity, text, type Draft, type Row } from '../kernel/entity.ts'

export const facilityType = entity(
  'facility_type',
  'facility_types',
  { name: text('Name') },
  { filter: ['id', 'name'], sort: ['name', 'id'], defaultSort: 'name asc' },
)
export type FacilityType = Row<typeof facilityType>
export type FacilityTypeDraft = Draft<typeof facilityType>

export const facilityTypeCalls = {
  ...crudCalls(facilityType, '/facility_types', {
    list: 'signed_in',
    read: 'setting.read',
    create: 'setting.create',
    update: 'setting.update',
    destroy: 'setting.destroy',
  }),
  selectOptions: optionsCall('facility_types', '/facility_types/select_options', 'signed_in', z.object({ id: z.int(), name: z.string() })),
}
