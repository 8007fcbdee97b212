import { RouterProvider } from '@tanstack/react-router';
import { mount } from '../portal/mount.tsx';
import '../portal/records.css';
import './console.css';
import { router } from './router.tsx';

mount(<RouterProvider router={router} />);
