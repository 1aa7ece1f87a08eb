import { StrictMode, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/base.css'
import { ForgotPassword } from './forgot-password.tsx'
import { Login } from './login.tsx'
import { ResetPassword } from './reset-password.tsx'
import { NoticeStack } from '../ui/dialogs/notice-stack.tsx'
import { storedCredentials, takeLinkCredentials } from './session-store.ts'

/** The pages for visitors who are not signed in; a small separate entry, so that the first visit loads little. */
const pages: Readonly<Record<string, ComponentType>> = {
  '/login': Login,
  '/forgot_password': ForgotPassword,
  '/reset_password': ResetPassword,
}

const path = location.pathname.replace(/\/$/, '')
const elsewhere = redirectFor(path)
const Page = pages[path] ?? Login
const root = document.getElementById('root')

if (elsewhere) location.replace(elsewhere)
else if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
      <NoticeStack />
    </StrictMode>,
  )
}

/** Signed-in users are redirected away from /login, and visitors without the mailed link away from /reset_password. */
function redirectFor(page: string): string | undefined {
  if (page === '/login' && storedCredentials()) return '/'
  if (page === '/reset_password' && !takeLinkCredentials()) return '/login'
  return undefined
}
