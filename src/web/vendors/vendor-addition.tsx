import { lazy } from 'react'
import type { Addition } from '../kernel/forms/add-new.tsx'

const AddVendor = lazy(() => import('./add-vendor.tsx').then((module) => ({ default: module.AddVendor })))

/** Adds a vendor inside a picker. */
export const vendorAddition: Addition = { noun: 'vendor', may: 'vendor.create', form: (adding) => <AddVendor {...adding} /> }
