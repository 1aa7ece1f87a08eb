import { facilityType, facilityTypeCalls } from '#contract/reference/facility-type.ts'
import { paymentMethod, paymentMethodCalls } from '#contract/reference/payment-method.ts'
import { productionUnit, productionUnitCalls } from '#contract/reference/production-unit.ts'
import { AddForm } from '../kernel/forms/add-form.tsx'
import type { Adding } from '../kernel/forms/add-new.tsx'
import { formCalls } from '../kernel/forms/use-entity-form.ts'

export function AddFacilityType(adding: Adding) {
  return <AddForm entity={facilityType} {...formCalls(facilityTypeCalls, 'facility_type', {})} adding={adding} />
}

export function AddProductionUnit(adding: Adding) {
  return <AddForm entity={productionUnit} {...formCalls(productionUnitCalls, 'production_unit', {})} adding={adding} />
}

export function AddPaymentMethod(adding: Adding) {
  return <AddForm entity={paymentMethod} {...formCalls(paymentMethodCalls, 'payment_method', {})} adding={adding} />
}
