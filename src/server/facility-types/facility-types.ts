/** Facility types: a plain entity of the settings. */
import { facilityType, facilityTypeCalls } from '#contract/reference/facility-type.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'

export const facilityTypes = resource({
  entity: facilityType,
  table: 'facility_types',
  scope: 'shared',
  search: ['name'],
  rules: [isFree('facility_types', 'name', 'Name')],
})

export const facilityTypeHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(facilityTypeCalls, facilityTypes),
  selectOptions: optionsHandler(facilityTypeCalls.selectOptions, facilityTypes, ['id', 'name']),
})
