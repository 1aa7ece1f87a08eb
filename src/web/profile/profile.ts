/** What other slices use of the profile. */
export { ProfileTabs, ProfileFrame } from './profile-frame.tsx'
