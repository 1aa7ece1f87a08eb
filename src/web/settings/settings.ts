/** Shared parts of the settings pages. */
export { SettingsTabs, VendorTabs } from './settings-tabs.tsx'
export { settingPages } from './setting-pages.tsx'
export { facilityTypeAddition, productionUnitAddition, paymentMethodAddition } from './setting-additions.tsx'
