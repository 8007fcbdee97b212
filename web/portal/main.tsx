import { RouterProvider } from '@tanstack/react-router';
import { mount } from '../staff/mount.tsx';
import '../staff/charts/charts.css';
import '../staff/records.css';
import './lifecycle.css';
import { router } from './router.tsx';

mount(<RouterProvider router={router} />);
