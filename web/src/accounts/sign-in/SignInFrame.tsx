import type { ReactNode } from 'react'
import { brandLogo, brandName } from '../../brand/brand.ts'
import { DrawnTruck } from '../../brand/DrawnTruck.tsx'

/** Every page here: the truck on its road at the left, the page's matter at the right; on a phone the matter alone. */
export function SignInFrame({ children }: { children: ReactNode }) {
  const brand = brandName()
  return (
    <div className="frame">
      <div className="road" aria-hidden="true">
        <div className="road-truck">
          <svg className="beam" viewBox="0 0 400 160">
            <path d="M400 40V54L0 160V0Z" />
          </svg>
          <DrawnTruck says={brand} width="100%" />
        </div>
      </div>
      <main>
        <div className="matter">
          {brandLogo() && <img className="logo" src={brandLogo()} alt="" />}
          <p className="brand">
            <DrawnTruck width={56} />
            {brand}
          </p>
          {children}
        </div>
      </main>
    </div>
  )
}
