import { RouterProvider } from '@tanstack/react-router';
import { mount } from '../staff/mount.tsx';
import '../staff/charts/charts.css';
import '../staff/records.css';
import './console.css';
import './shell/usual.ts';
import { router } from './router.tsx';

mount(<RouterProvider router={router} />);
