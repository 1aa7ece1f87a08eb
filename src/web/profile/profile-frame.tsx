import type { ReactNode } from 'react'
import { BackLink } from '../kernel/back-link.tsx'
import { usePath } from '../kernel/navigation.tsx'
import { PageHeader, Tabs } from '../ui/page-header.tsx'
import styles from './profile.module.css'

const tabs = [
  { href: '/users/profile', label: 'User Profile' },
  { href: '/users/profile/display', label: 'Display' },
  { href: '/users/profile/notifications', label: 'Notifications' },
  { href: '/users/profile/sign_ins', label: 'Sign-ins' },
  { href: '/users/profile/second_factor', label: 'Second Factor' },
  { href: '/users/profile/api_tokens', label: 'API Tokens' },
]

/** Tabs of the signed-in user's own pages. */
export function ProfileTabs() {
  const path = usePath()
  return <Tabs label="User Profile" items={tabs.map((tab) => ({ ...tab, current: isAt(tab.href, path) }))} />
}

function isAt(href: string, path: string): boolean {
  return path === href || (href !== '/users/profile' && path.startsWith(`${href}/`))
}

export interface ProfileFrameProps {
  readonly title: string
  /** One sentence about the settings on this page. */
  readonly about: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The header of a page about the signed-in user: tabs, Go Back, heading, one sentence. */
export function ProfileFrame({ title, about, actions, children }: ProfileFrameProps) {
  return (
    <>
      <ProfileTabs />
      <div className={styles.page}>
        <BackLink href="/" />
        <PageHeader title={title} actions={actions} />
        <p className={styles.about}>{about}</p>
        {children}
      </div>
    </>
  )
}
