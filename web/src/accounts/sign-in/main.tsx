import '../../tokens.css'
import './sign-in.css'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { readToken } from '../../api/session.ts'
import { reportUncaught } from '../../api/web-log.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { LoginPage } from './LoginPage.tsx'
import { nextPath } from './next-path.ts'
import { takeTokenFromAddress } from './reset-link.ts'
import { UnauthorizedPage } from './UnauthorizedPage.tsx'

const pages: Record<string, ComponentType> = {
  [LOGIN_PATH]: LoginPage,
  '/forgot-password': ForgotPasswordPage,
  '/unauthorized': UnauthorizedPage,
}

takeTokenFromAddress()
reportUncaught()

if (location.pathname === LOGIN_PATH && readToken()) {
  location.replace(nextPath(location.search))
} else {
  const Page = pages[location.pathname] ?? LoginPage
  createRoot(document.querySelector('#root')!).render(
    <ErrorBoundary>
      <SignInFrame>
        <Page />
      </SignInFrame>
    </ErrorBoundary>,
  )
}
