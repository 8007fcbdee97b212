import { RouterProvider } from '@tanstack/react-router';
import { mount } from './mount.tsx';
import './records.css';
import { router } from './router.tsx';

mount(<RouterProvider router={router} />);
