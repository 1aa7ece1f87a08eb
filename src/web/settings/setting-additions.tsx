/** Plain settings records, added inside pickers. */
import { lazy } from 'react'
import type { Addition } from '../kernel/forms/add-new.tsx'

const load = () => import('./add-settings.tsx')
const AddFacilityType = lazy(() => load().then((module) => ({ default: module.AddFacilityType })))
const AddProductionUnit = lazy(() => load().then((module) => ({ default: module.AddProductionUnit })))
const AddPaymentMethod = lazy(() => load().then((module) => ({ default: module.AddPaymentMethod })))

export const facilityTypeAddition: Addition = {
  noun: 'facility type',
  may: 'setting.create',
  form: (adding) => <AddFacilityType {...adding} />,
}

export const productionUnitAddition: Addition = {
  noun: 'production unit',
  may: 'setting.create',
  form: (adding) => <AddProductionUnit {...adding} />,
}

export const paymentMethodAddition: Addition = {
  noun: 'payment method',
  may: 'setting.create',
  form: (adding) => <AddPaymentMethod {...adding} />,
}
