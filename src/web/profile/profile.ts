/** The public part of the profile. */
export { ProfileTabs, ProfileFrame } from './profile-frame.tsx'
